package io.dedupstore.core.object;

import io.dedupstore.core.checksum.ChunkCrcs;
import io.dedupstore.core.chunking.ZeroChunks;
import io.dedupstore.core.model.ChunkSums;
import io.dedupstore.core.model.Fingerprint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Views of a window's chunks ► chunks with sums ► with fingerprints. */
final class ChunkSplitter {
    private final List<ByteBuffer> views;
    private final List<ChunkSums> sums;
    private final boolean[] zero;

    private ChunkSplitter(List<ByteBuffer> views, List<ChunkSums> sums, boolean[] zero) {
        this.views = views;
        this.sums = sums;
        this.zero = zero;
    }

    /**
     * Looks at all bytes; on the hash pool.
     *
     * @param storesZeros whether zero chunks are like any others
     */
    static ChunkSplitter of(List<ByteBuffer> views, boolean storesZeros) {
        List<ChunkSums> sums = new ArrayList<>(views.size());
        boolean[] zero = new boolean[views.size()];
        for (int i = 0; i < zero.length; i++) {
            zero[i] = !storesZeros && ZeroChunks.isZero(views.get(i));
            sums.add(sums(views.get(i)));
        }
        return new ChunkSplitter(views, sums, zero);
    }

    /** Waits for the hashing engine; for virtual threads. */
    List<Chunk> named(ChunkNames names) {
        List<ByteBuffer> stored = new ArrayList<>(zero.length);
        for (int i = 0; i < zero.length; i++) {
            if (!zero[i]) {
                stored.add(views.get(i));
            }
        }
        List<Fingerprint> named = stored.isEmpty() ? List.of() : names.of(stored);
        Iterator<Fingerprint> next = named.iterator();
        List<Chunk> chunks = new ArrayList<>(zero.length);
        for (int i = 0; i < zero.length; i++) {
            chunks.add(new Chunk(views.get(i), zero[i] ? null : next.next(), sums.get(i)));
        }
        return chunks;
    }

    static ChunkSums sums(ByteBuffer bytes) {
        return ChunkCrcs.of(bytes);
    }
}
