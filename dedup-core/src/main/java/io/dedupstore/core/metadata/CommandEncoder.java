package io.dedupstore.core.metadata;

import com.google.protobuf.ByteString;
import io.dedupstore.core.metadata.MetadataCommand.AbortUpload;
import io.dedupstore.core.metadata.MetadataCommand.CommitEarlier;
import io.dedupstore.core.metadata.MetadataCommand.CompleteUpload;
import io.dedupstore.core.metadata.MetadataCommand.CopyObject;
import io.dedupstore.core.metadata.MetadataCommand.CopyPart;
import io.dedupstore.core.metadata.MetadataCommand.CreateUpload;
import io.dedupstore.core.metadata.MetadataCommand.PutObject;
import io.dedupstore.core.metadata.MetadataCommand.PutPart;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.model.V;

/** Commands to log entries: format version, then protobuf. */
final class CommandEncoder {
    static final byte FORMAT = 1;

    private CommandEncoder() {}

    static byte[] encode(MetadataCommand command) {
        MetadataProto.Command.Builder out =
                MetadataProto.Command.newBuilder().setShard(command.shard().number());
        if (command instanceof MetadataCommand.Request request) {
            out.setV(Wire.bytes(request.v())).setTimeMillis(request.timeMillis());
        }
        write(command, out);
        return Format.prefix(FORMAT, out.build());
    }

    private static void write(MetadataCommand command, MetadataProto.Command.Builder out) {
        switch (command) {
            case MetadataCommand.SendRow row ->
                    out.getSendRowBuilder()
                            .setRow(row.row())
                            .setEntries(ByteString.copyFrom(ManifestCodec.encode(row.entries())));
            case CommitEarlier earlier ->
                    out.getCommitEarlierBuilder()
                            .setPlace(Wire.place(earlier.bucket(), earlier.key()))
                            .setHolder(holder(earlier.holder()));
            case PutObject put ->
                    out.getPutObjectBuilder()
                            .setPlace(Wire.place(put.bucket(), put.key()))
                            .setContent(content(put.body()))
                            .setSpec(Wire.spec(put.spec()))
                            .setCondition(condition(put.precondition()));
            case PutPart put ->
                    out.getPutPartBuilder()
                            .setPart(part(put.part()))
                            .setContent(content(put.body()));
            case MetadataCommand.Abandon abandon ->
                    out.getAbandonBuilder()
                            .addAllIndexShards(
                                    abandon.named().stream()
                                            .map(ShardId::number)
                                            .sorted()
                                            .toList());
            case MetadataCommand.DeleteObject delete ->
                    delete(delete, out.getDeleteObjectBuilder());
            case MetadataCommand.TagObject tag -> {
                MetadataProto.TagObject.Builder to = out.getTagObjectBuilder();
                to.setPlace(place(tag.place())).addAllTags(Wire.fields(tag.tags()));
                tag.place().id().ifPresent(id -> to.setVersion(Wire.name(id)));
            }
            case MetadataCommand.SetRetention set -> {
                MetadataProto.SetRetention.Builder to = out.getSetRetentionBuilder();
                to.setPlace(place(set.place()))
                        .setMode(set.retention().map(r -> r.mode().code()).orElse(0))
                        .setUntilMillis(set.retention().map(Retention::untilMillis).orElse(0L))
                        .setBypassGovernance(set.bypassGovernance());
                set.place().id().ifPresent(id -> to.setVersion(Wire.name(id)));
            }
            case MetadataCommand.SetLegalHold set -> {
                MetadataProto.SetLegalHold.Builder to = out.getSetLegalHoldBuilder();
                to.setPlace(place(set.place())).setOn(set.on());
                set.place().id().ifPresent(id -> to.setVersion(Wire.name(id)));
            }
            case MetadataCommand.AclObject acl -> {
                MetadataProto.AclObject.Builder to = out.getAclObjectBuilder();
                to.setPlace(place(acl.place())).setAcl(Wire.accessList(acl.list()));
                acl.place().id().ifPresent(id -> to.setVersion(Wire.name(id)));
            }
            case CopyObject copy ->
                    out.getCopyObjectBuilder()
                            .setSource(source(copy.source()))
                            .setPlace(Wire.place(copy.bucket(), copy.key()))
                            .setSpec(Wire.spec(copy.spec()))
                            .setCondition(condition(copy.precondition()));
            case CopyPart copy ->
                    out.getCopyPartBuilder()
                            .setSource(source(copy.source()))
                            .setPart(part(copy.part()))
                            .addAllPieces(Wire.toPieces(copy.pieces()));
            case CreateUpload create ->
                    out.getCreateUploadBuilder()
                            .setPlace(Wire.place(create.bucket(), create.key()))
                            .setAttributes(Wire.attributes(create.attributes()))
                            .setChecksumAlgorithm(
                                    create.checksumAlgorithm()
                                            .map(ChecksumAlgorithm::code)
                                            .orElse(0))
                            .setCompositeChecksum(create.compositeChecksum());
            case CompleteUpload complete -> complete(complete, out);
            case AbortUpload abort ->
                    out.getAbortUploadBuilder()
                            .setPlace(Wire.place(abort.bucket(), abort.key()))
                            .setUpload(Wire.bytes(abort.upload()));
            case MetadataCommand.SealBucket seal ->
                    out.getSealBucketBuilder().setBucket(seal.bucket().value());
            case MetadataCommand.SwapReferences swap ->
                    out.getSwapReferencesBuilder()
                            .setHolder(Wire.bytes(swap.holder()))
                            .addAllSwaps(swap.swaps().stream().map(Wire::swap).toList())
                            .addAllRows(swap.rows())
                            .addAllClaimed(Wire.claimed(swap.claimed()));
            case MetadataCommand.Resolve resolve ->
                    out.setV(Wire.bytes(resolve.v()))
                            .getResolveBuilder()
                            .setIndexShard(resolve.asking().number());
            case MetadataCommand.RefuseEpoch refuse ->
                    out.getRefuseEpochBuilder().setEpoch(refuse.epoch());
            case MetadataCommand.ForgetEpoch forget ->
                    out.getForgetEpochBuilder().setEpoch(forget.epoch());
            case MetadataCommand.AnnounceClosed closed ->
                    out.getAnnounceClosedBuilder()
                            .setEpoch(closed.epoch())
                            .addAllContainers(
                                    closed.containers().stream().map(ContainerId::value).toList());
            case MetadataCommand.Acknowledge ack -> {
                MetadataProto.Acknowledge.Builder to = out.getAcknowledgeBuilder();
                for (StreamPosition position : ack.streams()) {
                    to.addStreamsBuilder()
                            .setStream(ByteString.copyFrom(position.stream().toBytes()))
                            .setUpTo(position.upTo());
                }
            }
            case MetadataCommand.Work(ShardId shard, WorkSize size) ->
                    // Release 1 did not say.
                    out.setWork(
                            MetadataProto.Work.newBuilder()
                                    .setBytes(size.equals(WorkSize.UNSAID) ? 0 : size.bytes()));
        }
    }

    private static MetadataProto.Place place(MetadataCommand.VersionPlace place) {
        return Wire.place(place.bucket(), place.key());
    }

    private static void delete(
            MetadataCommand.DeleteObject delete, MetadataProto.DeleteObject.Builder out) {
        out.setPlace(Wire.place(delete.bucket(), delete.key()))
                .setCondition(condition(delete.precondition()));
        switch (delete.deletion()) {
            case MetadataCommand.Deletion.Current(Versioning versioning) ->
                    out.setVersioning(Wire.versioning(versioning));
            case MetadataCommand.Deletion.Version(VersionId id, boolean bypass) ->
                    out.setVersion(Wire.name(id)).setBypassGovernance(bypass);
        }
    }

    private static void complete(CompleteUpload complete, MetadataProto.Command.Builder out) {
        MetadataProto.CompleteUpload.Builder to = out.getCompleteUploadBuilder();
        to.setPlace(Wire.place(complete.bucket(), complete.key()))
                .setUpload(Wire.bytes(complete.upload()))
                .setSpec(Wire.spec(complete.spec()))
                .setCondition(condition(complete.precondition()));
        complete.parts()
                .forEach(
                        part ->
                                to.addPartsBuilder()
                                        .setNumber(part.number())
                                        .setV(Wire.bytes(part.v())));
    }

    private static MetadataProto.Content content(NewBody body) {
        return switch (body) {
            case NewBody.Inline inline ->
                    MetadataProto.Content.newBuilder()
                            .setInline(ByteString.copyFrom(inline.bytes()))
                            .setSeal(ByteString.copyFrom(inline.seal()))
                            .build();
            case NewBody.Holder holder ->
                    MetadataProto.Content.newBuilder().setHolder(holder(holder)).build();
        };
    }

    private static MetadataProto.NewHolder holder(NewBody.Holder holder) {
        return MetadataProto.NewHolder.newBuilder()
                .addAllEarlier(holder.earlier().stream().map(Wire::bytes).toList())
                .setSize(holder.size())
                .setSentRows(holder.sentRows())
                .setTail(ByteString.copyFrom(ManifestCodec.encode(holder.tail())))
                .addAllClaimed(Wire.claimed(holder.claimed()))
                .setNewChunkBytes(holder.newChunkBytes())
                .build();
    }

    private static MetadataProto.PartPlace part(MetadataCommand.PartSpec part) {
        return MetadataProto.PartPlace.newBuilder()
                .setPlace(Wire.place(part.bucket(), part.key()))
                .setUpload(Wire.bytes(part.upload()))
                .setNumber(part.number())
                .setEtag(part.etag())
                .addAllChecksums(Wire.toChecksums(part.checksums()))
                .build();
    }

    private static MetadataProto.Source source(MetadataCommand.Source source) {
        MetadataProto.Source.Builder out =
                MetadataProto.Source.newBuilder()
                        .setPlace(Wire.place(source.bucket(), source.key()))
                        .setV(Wire.bytes(source.v()));
        if (source.id() instanceof VersionId.Named) {
            out.setVersion(Wire.name(source.id()));
        }
        return out.build();
    }

    private static MetadataProto.Condition condition(Precondition precondition) {
        MetadataProto.Condition.Builder out = MetadataProto.Condition.newBuilder();
        switch (precondition) {
            case Precondition.None() -> out.setKind(MetadataProto.Condition.Kind.NONE);
            case Precondition.Absent() -> out.setKind(MetadataProto.Condition.Kind.ABSENT);
            case Precondition.Present() -> out.setKind(MetadataProto.Condition.Kind.PRESENT);
            case Precondition.EtagIs(String etag) ->
                    out.setKind(MetadataProto.Condition.Kind.ETAG_IS).setEtag(etag);
            case Precondition.Matches matches -> {
                out.setKind(MetadataProto.Condition.Kind.MATCHES);
                matches.etag().ifPresent(etag -> out.setWithEtag(true).setEtag(etag));
                matches.modifiedSeconds().ifPresent(out::setModifiedSeconds);
                matches.size().ifPresent(out::setSize);
            }
            case Precondition.MadeBy(V v) ->
                    out.setKind(MetadataProto.Condition.Kind.MADE_BY).setV(Wire.bytes(v));
        }
        return out.build();
    }
}
