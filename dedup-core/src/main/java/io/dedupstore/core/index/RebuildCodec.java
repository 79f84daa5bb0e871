package io.dedupstore.core.index;

import com.google.protobuf.ByteString;
import io.dedupstore.core.index.proto.CommandMessage;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.ShardId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The part of {@link IndexCommandCodec} that concerns rebuilding. */
final class RebuildCodec {
    private static final int ENTRY_BYTES = Fingerprint.BYTES + ChunkAddress.BYTES + 4 + 4 + 1;
    private static final int ADOPT = 1;
    private static final int SUSPECT = 2;

    private RebuildCodec() {}

    static CommandMessage.Rebuild encode(IndexCommand.Rebuild rebuild) {
        ByteBuffer freed = ByteBuffer.allocate(rebuild.freed().size() * ChunkAddress.BYTES);
        rebuild.freed().forEach(address -> address.write(freed));
        return CommandMessage.Rebuild.newBuilder()
                .setTimeSeconds((int) rebuild.timeSeconds())
                .setEntries(entries(rebuild.entries()))
                .setForgotten(entries(rebuild.forgotten()))
                .setFreed(ByteString.copyFrom(freed.flip()))
                .build();
    }

    private static ByteString entries(List<RebuiltEntry> entries) {
        ByteBuffer out = ByteBuffer.allocate(entries.size() * ENTRY_BYTES);
        for (RebuiltEntry entry : entries) {
            entry.fingerprint().write(out);
            entry.address().write(out);
            out.putInt(entry.length()).putInt((int) entry.references());
            out.put((byte) ((entry.adopt() ? ADOPT : 0) | (entry.suspect() ? SUSPECT : 0)));
        }
        return ByteString.copyFrom(out.flip());
    }

    static IndexCommand.Rebuild decode(ShardId shard, CommandMessage.Rebuild rebuild) {
        List<ChunkAddress> freed = new ArrayList<>();
        ByteBuffer addresses = rebuild.getFreed().asReadOnlyByteBuffer();
        while (addresses.hasRemaining()) {
            freed.add(ChunkAddress.read(addresses));
        }
        return new IndexCommand.Rebuild(
                shard,
                Integer.toUnsignedLong(rebuild.getTimeSeconds()),
                entries(rebuild.getEntries()),
                entries(rebuild.getForgotten()),
                freed);
    }

    private static List<RebuiltEntry> entries(ByteString bytes) {
        ByteBuffer in = bytes.asReadOnlyByteBuffer();
        List<RebuiltEntry> entries = new ArrayList<>();
        while (in.hasRemaining()) {
            Fingerprint fingerprint = Fingerprint.read(in);
            ChunkAddress address = ChunkAddress.read(in);
            int length = in.getInt();
            long references = Integer.toUnsignedLong(in.getInt());
            int flags = in.get();
            entries.add(
                    new RebuiltEntry(
                            fingerprint,
                            address,
                            length,
                            references,
                            (flags & ADOPT) != 0,
                            (flags & SUSPECT) != 0));
        }
        return entries;
    }

    static CommandMessage.FinishRebuild encode(IndexCommand.FinishRebuild finish) {
        CommandMessage.FinishRebuild.Builder out = CommandMessage.FinishRebuild.newBuilder();
        for (IndexCommand.Source source : finish.sources()) {
            out.addSourceBuilder()
                    .setShard(source.shard().number())
                    .setApplied(source.applied())
                    .setSumHigh(source.sum().high())
                    .setSumLow(source.sum().low());
        }
        return out.build();
    }

    static IndexCommand.FinishRebuild decode(ShardId shard, CommandMessage.FinishRebuild finish) {
        return new IndexCommand.FinishRebuild(
                shard,
                finish.getSourceList().stream()
                        .map(
                                source ->
                                        new IndexCommand.Source(
                                                ShardId.metadata(source.getShard()),
                                                source.getApplied(),
                                                new ReferenceSum(
                                                        source.getSumHigh(), source.getSumLow())))
                        .toList());
    }
}
