package io.dedupstore.core.object;

import io.dedupstore.core.compression.ChunkCodec;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ChunkOpener;
import io.dedupstore.core.spi.ChunkStore;
import io.dedupstore.core.spi.ChunkStoreException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Chunks in a map, kept as they came. */
final class FakeStore implements ChunkStore {
    record Kept(NewChunk chunk, DomainId domain, byte[] bytes, V v) {}

    final Map<ChunkAddress, Kept> chunks = new HashMap<>();
    boolean full;

    @Override
    public List<ChunkAddress> append(V v, DomainId domain, List<NewChunk> news) {
        if (full) {
            throw new ChunkStoreException(ChunkStoreException.Code.FULL, "full");
        }
        List<ChunkAddress> addresses = new ArrayList<>();
        for (NewChunk chunk : news) {
            byte[] bytes = new byte[chunk.stored().remaining()];
            chunk.stored().duplicate().get(bytes);
            ChunkAddress address = new ChunkAddress(new ContainerId(1), chunks.size());
            chunks.put(address, new Kept(chunk, domain, bytes, v));
            addresses.add(address);
        }
        return addresses;
    }

    @Override
    public List<ChunkAddress> copy(V v, List<Wanted> wanted) {
        return append(
                v,
                new DomainId(1),
                wanted.stream().map(one -> chunks.get(one.address()).chunk()).toList());
    }

    @Override
    public boolean heal(ChunkAddress damaged, Wanted whole) {
        throw new UnsupportedOperationException("nothing is damaged here");
    }

    @Override
    public void read(List<Wanted> wanted, ByteBuffer target, ChunkOpener opener) {
        for (Wanted one : wanted) {
            Kept kept = chunks.get(one.address());
            if (kept == null) {
                throw new ChunkStoreException(ChunkStoreException.Code.GONE, "freed");
            }
            if (!kept.chunk().fingerprint().equals(one.fingerprint())) {
                throw new ChunkStoreException(ChunkStoreException.Code.DAMAGED, "another chunk");
            }
            ChunkCodec.ofId(kept.chunk().codec())
                    .decompress(opened(kept, opener), target, one.length());
            target.position(target.position() + one.length());
        }
    }

    private static ByteBuffer opened(Kept kept, ChunkOpener opener) {
        ByteBuffer stored = ByteBuffer.wrap(kept.bytes());
        NewChunk chunk = kept.chunk();
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

    long storedBytes() {
        return chunks.values().stream().mapToLong(kept -> kept.bytes().length).sum();
    }
}
