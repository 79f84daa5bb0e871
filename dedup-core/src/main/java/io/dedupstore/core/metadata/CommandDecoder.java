package io.dedupstore.core.metadata;

import io.dedupstore.core.metadata.MetadataCommand.AbortUpload;
import io.dedupstore.core.metadata.MetadataCommand.CommitEarlier;
import io.dedupstore.core.metadata.MetadataCommand.CompleteUpload;
import io.dedupstore.core.metadata.MetadataCommand.CopyObject;
import io.dedupstore.core.metadata.MetadataCommand.CopyPart;
import io.dedupstore.core.metadata.MetadataCommand.CreateUpload;
import io.dedupstore.core.metadata.MetadataCommand.PartSpec;
import io.dedupstore.core.metadata.MetadataCommand.PutObject;
import io.dedupstore.core.metadata.MetadataCommand.PutPart;
import io.dedupstore.core.metadata.MetadataCommand.Source;
import io.dedupstore.core.metadata.MetadataService.SeenPart;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.model.V;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.stream.Collectors;

/** Log entries to commands. */
final class CommandDecoder {
    private CommandDecoder() {}

    /**
     * @throws RuntimeException not a command of this release
     */
    static MetadataCommand decode(byte[] bytes) {
        MetadataProto.Command in =
                Format.parse(
                        "a metadata command",
                        CommandEncoder.FORMAT,
                        MetadataProto.Command.parser(),
                        bytes);
        ShardId shard = ShardId.metadata(in.getShard());
        long time = in.getTimeMillis();
        return switch (in.getWhatCase()) {
            case SEND_ROW ->
                    new MetadataCommand.SendRow(
                            shard,
                            v(in),
                            time,
                            in.getSendRow().getRow(),
                            ManifestCodec.decode(in.getSendRow().getEntries().toByteArray()));
            case COMMIT_EARLIER -> {
                MetadataProto.CommitEarlier earlier = in.getCommitEarlier();
                yield new CommitEarlier(
                        shard,
                        time,
                        Wire.bucket(earlier.getPlace()),
                        Wire.key(earlier.getPlace()),
                        holder(v(in), earlier.getHolder()));
            }
            case PUT_OBJECT -> {
                MetadataProto.PutObject put = in.getPutObject();
                yield new PutObject(
                        shard,
                        time,
                        Wire.bucket(put.getPlace()),
                        Wire.key(put.getPlace()),
                        content(v(in), put.getContent()),
                        Wire.spec(put.getSpec()),
                        condition(put.getCondition()));
            }
            case PUT_PART ->
                    new PutPart(
                            shard,
                            time,
                            part(in.getPutPart().getPart()),
                            content(v(in), in.getPutPart().getContent()));
            case ABANDON ->
                    new MetadataCommand.Abandon(
                            shard,
                            v(in),
                            time,
                            in.getAbandon().getIndexShardsList().stream()
                                    .map(ShardId::index)
                                    .collect(Collectors.toSet()));
            case DELETE_OBJECT -> {
                MetadataProto.DeleteObject delete = in.getDeleteObject();
                yield new MetadataCommand.DeleteObject(
                        shard,
                        v(in),
                        time,
                        Wire.bucket(delete.getPlace()),
                        Wire.key(delete.getPlace()),
                        condition(delete.getCondition()),
                        deletion(delete));
            }
            case TAG_OBJECT -> {
                MetadataProto.TagObject tag = in.getTagObject();
                yield new MetadataCommand.TagObject(
                        shard,
                        v(in),
                        time,
                        place(tag.getPlace(), tag.hasVersion(), tag.getVersion()),
                        Wire.map(tag.getTagsList()));
            }
            case SET_RETENTION -> {
                MetadataProto.SetRetention set = in.getSetRetention();
                yield new MetadataCommand.SetRetention(
                        shard,
                        v(in),
                        time,
                        place(set.getPlace(), set.hasVersion(), set.getVersion()),
                        Wire.retention(set.getMode(), set.getUntilMillis()),
                        set.getBypassGovernance());
            }
            case SET_LEGAL_HOLD -> {
                MetadataProto.SetLegalHold set = in.getSetLegalHold();
                yield new MetadataCommand.SetLegalHold(
                        shard,
                        v(in),
                        time,
                        place(set.getPlace(), set.hasVersion(), set.getVersion()),
                        set.getOn());
            }
            case ACL_OBJECT -> {
                MetadataProto.AclObject acl = in.getAclObject();
                yield new MetadataCommand.AclObject(
                        shard,
                        v(in),
                        time,
                        place(acl.getPlace(), acl.hasVersion(), acl.getVersion()),
                        Wire.accessList(acl.getAcl()));
            }
            case COPY_OBJECT -> {
                MetadataProto.CopyObject copy = in.getCopyObject();
                yield new CopyObject(
                        shard,
                        v(in),
                        time,
                        source(copy.getSource()),
                        Wire.bucket(copy.getPlace()),
                        Wire.key(copy.getPlace()),
                        Wire.spec(copy.getSpec()),
                        condition(copy.getCondition()));
            }
            case COPY_PART ->
                    new CopyPart(
                            shard,
                            v(in),
                            time,
                            source(in.getCopyPart().getSource()),
                            part(in.getCopyPart().getPart()),
                            Wire.pieces(in.getCopyPart().getPiecesList()));
            case CREATE_UPLOAD -> createUpload(shard, v(in), time, in.getCreateUpload());
            case COMPLETE_UPLOAD -> completeUpload(shard, v(in), time, in.getCompleteUpload());
            case ABORT_UPLOAD -> {
                MetadataProto.AbortUpload abort = in.getAbortUpload();
                yield new AbortUpload(
                        shard,
                        v(in),
                        time,
                        Wire.bucket(abort.getPlace()),
                        Wire.key(abort.getPlace()),
                        Wire.v(abort.getUpload()));
            }
            case SEAL_BUCKET ->
                    new MetadataCommand.SealBucket(
                            shard, v(in), time, new BucketId(in.getSealBucket().getBucket()));
            case SWAP_REFERENCES ->
                    new MetadataCommand.SwapReferences(
                            shard,
                            v(in),
                            time,
                            Wire.v(in.getSwapReferences().getHolder()),
                            in.getSwapReferences().getSwapsList().stream().map(Wire::swap).toList(),
                            in.getSwapReferences().getRowsList(),
                            Wire.claimed(in.getSwapReferences().getClaimedList()));
            case RESOLVE ->
                    new MetadataCommand.Resolve(
                            shard, v(in), ShardId.index(in.getResolve().getIndexShard()));
            case REFUSE_EPOCH ->
                    new MetadataCommand.RefuseEpoch(shard, in.getRefuseEpoch().getEpoch());
            case FORGET_EPOCH ->
                    new MetadataCommand.ForgetEpoch(shard, in.getForgetEpoch().getEpoch());
            case ANNOUNCE_CLOSED ->
                    new MetadataCommand.AnnounceClosed(
                            shard,
                            in.getAnnounceClosed().getEpoch(),
                            in.getAnnounceClosed().getContainersList().stream()
                                    .map(ContainerId::new)
                                    .toList());
            case ACKNOWLEDGE ->
                    new MetadataCommand.Acknowledge(
                            shard,
                            in.getAcknowledge().getStreamsList().stream()
                                    .map(CommandDecoder::position)
                                    .toList());
            case WORK -> new MetadataCommand.Work(shard, size(in.getWork()));
            case WHAT_NOT_SET ->
                    throw new IllegalArgumentException("a command this release does not know");
        };
    }

    private static V v(MetadataProto.Command in) {
        return Wire.v(in.getV());
    }

    private static MetadataCommand createUpload(
            ShardId shard, V v, long time, MetadataProto.CreateUpload in) {
        return new CreateUpload(
                shard,
                v,
                time,
                Wire.bucket(in.getPlace()),
                Wire.key(in.getPlace()),
                Wire.attributes(in.getAttributes()),
                algorithm(in.getChecksumAlgorithm()),
                in.getCompositeChecksum());
    }

    /** 0 stands for none. */
    static Optional<ChecksumAlgorithm> algorithm(int code) {
        return code == 0 ? Optional.empty() : Optional.of(ChecksumAlgorithm.ofCode(code));
    }

    private static MetadataCommand completeUpload(
            ShardId shard, V v, long time, MetadataProto.CompleteUpload in) {
        return new CompleteUpload(
                shard,
                v,
                time,
                Wire.bucket(in.getPlace()),
                Wire.key(in.getPlace()),
                Wire.v(in.getUpload()),
                in.getPartsList().stream()
                        .map(part -> new SeenPart(part.getNumber(), Wire.v(part.getV())))
                        .toList(),
                Wire.spec(in.getSpec()),
                condition(in.getCondition()));
    }

    private static NewBody content(V v, MetadataProto.Content content) {
        return switch (content.getWhatCase()) {
            case INLINE ->
                    new NewBody.Inline(
                            v, content.getInline().toByteArray(), content.getSeal().toByteArray());
            case HOLDER -> holder(v, content.getHolder());
            case WHAT_NOT_SET -> throw new IllegalArgumentException("content of an unknown kind");
        };
    }

    private static NewBody.Holder holder(V v, MetadataProto.NewHolder in) {
        return new NewBody.Holder(
                v,
                in.getEarlierList().stream().map(Wire::v).toList(),
                in.getSize(),
                in.getSentRows(),
                ManifestCodec.decode(in.getTail().toByteArray()),
                Wire.claimed(in.getClaimedList()),
                in.getNewChunkBytes());
    }

    private static PartSpec part(MetadataProto.PartPlace in) {
        return new PartSpec(
                Wire.bucket(in.getPlace()),
                Wire.key(in.getPlace()),
                Wire.v(in.getUpload()),
                in.getNumber(),
                in.getEtag(),
                Wire.checksums(in.getChecksumsList()));
    }

    private static Source source(MetadataProto.Source in) {
        return new Source(
                Wire.bucket(in.getPlace()),
                Wire.key(in.getPlace()),
                Wire.v(in.getV()),
                Wire.id(in.getVersion()));
    }

    private static MetadataCommand.VersionPlace place(
            MetadataProto.Place place, boolean named, MetadataProto.VersionName name) {
        return new MetadataCommand.VersionPlace(
                Wire.bucket(place),
                Wire.key(place),
                named ? Optional.of(Wire.id(name)) : Optional.empty());
    }

    private static MetadataCommand.Deletion deletion(MetadataProto.DeleteObject in) {
        return in.hasVersion()
                ? new MetadataCommand.Deletion.Version(
                        Wire.id(in.getVersion()), in.getBypassGovernance())
                : new MetadataCommand.Deletion.Current(Wire.versioning(in.getVersioning()));
    }

    private static Precondition condition(MetadataProto.Condition in) {
        return switch (in.getKind()) {
            case NONE -> new Precondition.None();
            case ABSENT -> new Precondition.Absent();
            case PRESENT -> new Precondition.Present();
            case ETAG_IS -> new Precondition.EtagIs(in.getEtag());
            case MATCHES ->
                    new Precondition.Matches(
                            in.getWithEtag() ? Optional.of(in.getEtag()) : Optional.empty(),
                            in.hasModifiedSeconds()
                                    ? Optional.of(in.getModifiedSeconds())
                                    : Optional.empty(),
                            in.hasSize() ? Optional.of(in.getSize()) : Optional.empty());
            case MADE_BY -> new Precondition.MadeBy(Wire.v(in.getV()));
            case UNRECOGNIZED -> throw new IllegalArgumentException("unknown precondition");
        };
    }

    private static WorkSize size(MetadataProto.Work work) {
        return work.getBytes() == 0 ? WorkSize.UNSAID : new WorkSize(work.getBytes());
    }

    private static StreamPosition position(MetadataProto.StreamPosition in) {
        return new StreamPosition(
                Destination.read(ByteBuffer.wrap(in.getStream().toByteArray())), in.getUpTo());
    }
}
