package io.dedupstore.server.s3.operation;

import io.dedupstore.core.compression.ChunkCodec;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ClaimAnswer;
import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ChunkIndex;
import io.dedupstore.core.spi.ChunkOpener;
import io.dedupstore.core.spi.ChunkStore;
import io.dedupstore.core.spi.ChunkStoreException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Index and store in maps; nothing is ever freed, unless a test drops it. */
final class MapChunks implements ChunkIndex, ChunkStore {
    private record Kept(DomainId domain, NewChunk chunk, byte[] stored) {}

    private final Map<Fingerprint, ChunkAddress> entries = new ConcurrentHashMap<>();
    private final Map<ChunkAddress, Kept> slots = new ConcurrentHashMap<>();
    private final AtomicInteger nextSlot = new AtomicInteger();
    private final AtomicInteger appended = new AtomicInteger();

    /** Chunks appended so far. */
    int appended() {
        return appended.get();
    }

    /** As if every slot had been freed. */
    void dropAll() {
        slots.clear();
    }

    @Override
    public ShardId shardOf(Fingerprint fingerprint) {
        return ShardId.index(0);
    }

    @Override
    public List<Optional<ChunkAddress>> lookup(List<Fingerprint> fingerprints) {
        return fingerprints.stream().map(f -> Optional.ofNullable(entries.get(f))).toList();
    }

    @Override
    public boolean takesClaims(ShardId shard) {
        return true;
    }

    @Override
    public List<ClaimAnswer> claim(ShardId shard, V v, ShardId coordinator, List<ClaimItem> items) {
        return items.stream().map(this::answer).toList();
    }

    private ClaimAnswer answer(ClaimItem item) {
        ChunkAddress offered = item.offered();
        if (offered == null) {
            ChunkAddress known = entries.get(item.fingerprint());
            return known == null ? new ClaimAnswer.Miss() : new ClaimAnswer.Use(known);
        }
        ChunkAddress kept = entries.computeIfAbsent(item.fingerprint(), f -> offered);
        return kept.equals(offered) ? new ClaimAnswer.Own(kept) : new ClaimAnswer.Use(kept);
    }

    @Override
    public List<ChunkAddress> append(V v, DomainId domain, List<NewChunk> chunks) {
        return chunks.stream().map(chunk -> append(domain, chunk)).toList();
    }

    /** Whether some chunk is stored with these bytes in it. */
    boolean contains(byte[] bytes) {
        return slots.values().stream().anyMatch(kept -> indexOf(kept.stored(), bytes) >= 0);
    }

    private static int indexOf(byte[] in, byte[] bytes) {
        for (int i = 0; i <= in.length - bytes.length; i++) {
            if (Arrays.equals(in, i, i + bytes.length, bytes, 0, bytes.length)) {
                return i;
            }
        }
        return -1;
    }

    private ChunkAddress append(DomainId domain, NewChunk chunk) {
        byte[] stored = new byte[chunk.stored().remaining()];
        chunk.stored().duplicate().get(stored);
        ChunkAddress address = new ChunkAddress(new ContainerId(1), nextSlot.getAndIncrement());
        slots.put(address, new Kept(domain, chunk, stored));
        appended.incrementAndGet();
        return address;
    }

    @Override
    public List<ChunkAddress> copy(V v, List<Wanted> chunks) {
        throw new UnsupportedOperationException("nothing is deduplicated later here");
    }

    @Override
    public boolean heal(ChunkAddress damaged, Wanted whole) {
        throw new UnsupportedOperationException("nothing is damaged here");
    }

    @Override
    public void read(List<Wanted> chunks, ByteBuffer target, ChunkOpener opener) {
        for (Wanted wanted : chunks) {
            Kept kept = slots.get(wanted.address());
            if (kept == null) {
                throw new ChunkStoreException(ChunkStoreException.Code.GONE, "dropped");
            }
            ChunkCodec.ofId(kept.chunk().codec())
                    .decompress(opened(kept, opener), target, wanted.length());
            target.position(target.position() + wanted.length());
        }
    }

    private static ByteBuffer opened(Kept kept, ChunkOpener opener) {
        NewChunk chunk = kept.chunk();
        ByteBuffer stored = ByteBuffer.wrap(kept.stored());
        return chunk.cipher() == 0
                ? stored
                : opener.open(
                        new ChunkOpener.Sealed(
                                chunk.cipher(),
                                kept.domain(),
                                chunk.keyVersion(),
                                chunk.fingerprint(),
                                chunk.codec(),
                                chunk.length(),
                                stored));
    }
}
