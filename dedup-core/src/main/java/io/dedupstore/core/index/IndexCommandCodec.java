package io.dedupstore.core.index;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.dedupstore.core.index.proto.CommandMessage;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.model.V;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Commands to bytes and back; {@code docs/formats/index.md}. */
public final class IndexCommandCodec {
    private static final int OFFERED = 1 << 31;
    private static final int MAX_ITEM_BYTES = 4 + Fingerprint.BYTES + ChunkAddress.BYTES;
    private static final int REFERENCE_BYTES = Fingerprint.BYTES + ChunkAddress.BYTES;

    private IndexCommandCodec() {}

    public static byte[] encode(IndexCommand command) {
        CommandMessage.Builder out = CommandMessage.newBuilder().setShard(command.shard().number());
        switch (command) {
            case IndexCommand.Claim claim -> out.setClaim(claim(claim));
            case IndexCommand.Deliver deliver -> out.setDeliver(deliver(deliver));
            case IndexCommand.Acknowledge acknowledge ->
                    out.setAcknowledge(acknowledge(acknowledge));
            case IndexCommand.RefuseEpoch(ShardId shard, int epoch) -> out.setRefuseEpoch(epoch);
            case IndexCommand.ForgetEpoch(ShardId shard, int epoch) -> out.setForgetEpoch(epoch);
            case IndexCommand.AnnounceClosed announce ->
                    out.setAnnounceClosed(
                            CommandMessage.AnnounceClosed.newBuilder()
                                    .setEpoch(announce.epoch())
                                    .addAllContainer(
                                            announce.containers().stream()
                                                    .map(ContainerId::value)
                                                    .toList()));
            case IndexCommand.Continue(ShardId shard, StepSize step) ->
                    out.setContinue(CommandMessage.Continue.newBuilder().setRows(rows(step)));
            case IndexCommand.SetEntryLimit(ShardId shard, OptionalLong entries) -> {
                CommandMessage.SetEntryLimit.Builder limit =
                        CommandMessage.SetEntryLimit.newBuilder();
                entries.ifPresent(limit::setEntries);
                out.setSetEntryLimit(limit);
            }
            case IndexCommand.Prune prune -> out.setPrune(prune(prune));
            case IndexCommand.MarkSuspect mark -> out.setMarkSuspect(markSuspect(mark));
            case IndexCommand.BeginRebuild(ShardId shard, int refused, int forgotten) ->
                    out.setBeginRebuild(
                            CommandMessage.BeginRebuild.newBuilder()
                                    .setRefusedEpoch(refused)
                                    .setForgottenEpoch(forgotten));
            case IndexCommand.ResumeStreams(ShardId shard, List<StreamPosition> streams) ->
                    out.setResumeStreams(
                            CommandMessage.ResumeStreams.newBuilder()
                                    .addAllStream(
                                            streams.stream()
                                                    .map(IndexCommandCodec::position)
                                                    .toList()));
            case IndexCommand.Rebuild rebuild -> out.setRebuild(RebuildCodec.encode(rebuild));
            case IndexCommand.FinishRebuild finish ->
                    out.setFinishRebuild(RebuildCodec.encode(finish));
        }
        return out.build().toByteArray();
    }

    private static CommandMessage.Claim claim(IndexCommand.Claim claim) {
        ByteBuffer items = ByteBuffer.allocate(claim.items().size() * MAX_ITEM_BYTES);
        for (ClaimItem item : claim.items()) {
            ChunkAddress offered = item.offered();
            items.putInt(item.length() | (offered == null ? 0 : OFFERED));
            item.fingerprint().write(items);
            if (offered != null) {
                offered.write(items);
            }
        }
        return CommandMessage.Claim.newBuilder()
                .setV(ByteString.copyFrom(claim.v().toBytes()))
                .setCoordinator(claim.coordinator().number())
                .setTimeSeconds((int) claim.timeSeconds())
                .setItems(ByteString.copyFrom(items.flip()))
                .build();
    }

    private static CommandMessage.Deliver deliver(IndexCommand.Deliver deliver) {
        return CommandMessage.Deliver.newBuilder()
                .setSource(deliver.source().number())
                .setFirstSequence(deliver.firstSequence())
                .addAllMessage(deliver.messages().stream().map(ByteString::copyFrom).toList())
                .setRows(rows(deliver.step()))
                .build();
    }

    /** As in the message: 0 for what release 1 meant, whose commands do not say. */
    private static int rows(StepSize step) {
        return step.equals(StepSize.UNSAID) ? 0 : step.rows();
    }

    private static StepSize step(int rows) {
        return rows == 0 ? StepSize.UNSAID : new StepSize(rows);
    }

    private static CommandMessage.Acknowledge acknowledge(IndexCommand.Acknowledge command) {
        return CommandMessage.Acknowledge.newBuilder()
                .addAllStream(command.streams().stream().map(IndexCommandCodec::position).toList())
                .build();
    }

    private static CommandMessage.StreamPosition position(StreamPosition position) {
        return CommandMessage.StreamPosition.newBuilder()
                .setDestination(ByteString.copyFrom(position.stream().toBytes()))
                .setUpTo(position.upTo())
                .build();
    }

    private static StreamPosition position(CommandMessage.StreamPosition in) {
        return new StreamPosition(
                Destination.read(in.getDestination().asReadOnlyByteBuffer()), in.getUpTo());
    }

    private static CommandMessage.MarkSuspect markSuspect(IndexCommand.MarkSuspect mark) {
        ByteBuffer references = ByteBuffer.allocate(mark.references().size() * REFERENCE_BYTES);
        for (ChunkReference reference : mark.references()) {
            reference.fingerprint().write(references);
            reference.address().write(references);
        }
        return CommandMessage.MarkSuspect.newBuilder()
                .setSuspect(mark.suspect())
                .setReferences(ByteString.copyFrom(references.flip()))
                .build();
    }

    private static CommandMessage.Prune prune(IndexCommand.Prune prune) {
        ByteBuffer fingerprints =
                ByteBuffer.allocate(prune.fingerprints().size() * Fingerprint.BYTES);
        prune.fingerprints().forEach(fingerprint -> fingerprint.write(fingerprints));
        return CommandMessage.Prune.newBuilder()
                .setUntouchedSince((int) prune.untouchedSince())
                .setFingerprints(ByteString.copyFrom(fingerprints.flip()))
                .build();
    }

    /**
     * @throws IllegalArgumentException the command makes no sense, on any replica
     * @throws IllegalStateException it is of a kind that only a newer release knows: this replica
     *     must not go on
     */
    public static IndexCommand decode(byte[] bytes) {
        try {
            CommandMessage in = CommandMessage.parseFrom(bytes);
            ShardId shard = ShardId.index(in.getShard());
            return switch (in.getCommandCase()) {
                case CLAIM -> claim(shard, in.getClaim());
                case DELIVER ->
                        new IndexCommand.Deliver(
                                shard,
                                ShardId.metadata(in.getDeliver().getSource()),
                                in.getDeliver().getFirstSequence(),
                                in.getDeliver().getMessageList().stream()
                                        .map(ByteString::toByteArray)
                                        .toList(),
                                step(in.getDeliver().getRows()));
                case ACKNOWLEDGE ->
                        new IndexCommand.Acknowledge(
                                shard,
                                in.getAcknowledge().getStreamList().stream()
                                        .map(IndexCommandCodec::position)
                                        .toList());
                case REFUSE_EPOCH -> new IndexCommand.RefuseEpoch(shard, in.getRefuseEpoch());
                case FORGET_EPOCH -> new IndexCommand.ForgetEpoch(shard, in.getForgetEpoch());
                case ANNOUNCE_CLOSED ->
                        new IndexCommand.AnnounceClosed(
                                shard,
                                in.getAnnounceClosed().getEpoch(),
                                in.getAnnounceClosed().getContainerList().stream()
                                        .map(ContainerId::new)
                                        .toList());
                case CONTINUE -> new IndexCommand.Continue(shard, step(in.getContinue().getRows()));
                case SET_ENTRY_LIMIT ->
                        new IndexCommand.SetEntryLimit(shard, limit(in.getSetEntryLimit()));
                case MARK_SUSPECT ->
                        new IndexCommand.MarkSuspect(
                                shard,
                                in.getMarkSuspect().getSuspect(),
                                references(in.getMarkSuspect().getReferences()));
                case PRUNE ->
                        new IndexCommand.Prune(
                                shard,
                                Integer.toUnsignedLong(in.getPrune().getUntouchedSince()),
                                fingerprints(in.getPrune().getFingerprints()));
                case BEGIN_REBUILD ->
                        new IndexCommand.BeginRebuild(
                                shard,
                                in.getBeginRebuild().getRefusedEpoch(),
                                in.getBeginRebuild().getForgottenEpoch());
                case RESUME_STREAMS ->
                        new IndexCommand.ResumeStreams(
                                shard,
                                in.getResumeStreams().getStreamList().stream()
                                        .map(IndexCommandCodec::position)
                                        .toList());
                case REBUILD -> RebuildCodec.decode(shard, in.getRebuild());
                case FINISH_REBUILD -> RebuildCodec.decode(shard, in.getFinishRebuild());
                case COMMAND_NOT_SET ->
                        throw new IllegalStateException(
                                "the log has a command for the index that this release does not"
                                        + " know: a newer one wrote it");
            };
        } catch (InvalidProtocolBufferException | BufferUnderflowException e) {
            throw new IllegalArgumentException("not a command for the index", e);
        }
    }

    private static IndexCommand claim(ShardId shard, CommandMessage.Claim claim) {
        ByteBuffer in = claim.getItems().asReadOnlyByteBuffer();
        List<ClaimItem> items = new ArrayList<>();
        while (in.hasRemaining()) {
            int head = in.getInt();
            Fingerprint fingerprint = Fingerprint.read(in);
            ChunkAddress offered = (head & OFFERED) == 0 ? null : ChunkAddress.read(in);
            items.add(new ClaimItem(fingerprint, offered, head & ~OFFERED));
        }
        return new IndexCommand.Claim(
                shard,
                V.of(claim.getV().toByteArray()),
                ShardId.metadata(claim.getCoordinator()),
                Integer.toUnsignedLong(claim.getTimeSeconds()),
                items);
    }

    private static OptionalLong limit(CommandMessage.SetEntryLimit limit) {
        return limit.hasEntries() ? OptionalLong.of(limit.getEntries()) : OptionalLong.empty();
    }

    private static List<Fingerprint> fingerprints(ByteString bytes) {
        ByteBuffer in = bytes.asReadOnlyByteBuffer();
        List<Fingerprint> fingerprints = new ArrayList<>();
        while (in.hasRemaining()) {
            fingerprints.add(Fingerprint.read(in));
        }
        return fingerprints;
    }

    private static List<ChunkReference> references(ByteString bytes) {
        ByteBuffer in = bytes.asReadOnlyByteBuffer();
        List<ChunkReference> references = new ArrayList<>();
        while (in.hasRemaining()) {
            references.add(new ChunkReference(Fingerprint.read(in), ChunkAddress.read(in)));
        }
        return references;
    }
}
