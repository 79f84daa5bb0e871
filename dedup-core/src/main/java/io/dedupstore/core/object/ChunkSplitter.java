package io.dedupstore.core.object;

import io.dedupstore.core.checksum.ChunkCrcs;
import io.dedupstore.core.chunking.ZeroChunks;
import io.dedupstore.core.fingerprint.Fingerprinter;
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

    /** Looks at all bytes; on the hash pool. */
    static ChunkSplitter of(List<ByteBuffer> views) {
        List<ChunkSums> sums = new ArrayList<>(views.size());
        boolean[] zero = new boolean[views.size()];
        for (int i = 0; i < zero.length; i++) {
            zero[i] = ZeroChunks.isZero(views.get(i));
            sums.add(sums(views.get(i)));
        }
        return new ChunkSplitter(views, sums, zero);
    }

    /** Waits for the hashing engine; for virtual threads. */
    List<Chunk> named(Fingerprinter fingerprinter) {
        List<ByteBuffer> stored = new ArrayList<>(zero.length);
        for (int i = 0; i < zero.length; i++) {
            if (!zero[i]) {
                stored.add(views.get(i));
            }
        }
        List<Fingerprint> named = stored.isEmpty() ? List.of() : fingerprinter.fingerprints(stored);
        Iterator<Fingerprint> names = named.iterator();
        List<Chunk> chunks = new ArrayList<>(zero.length);
        for (int i = 0; i < zero.length; i++) {
            chunks.add(new Chunk(views.get(i), zero[i] ? null : names.next(), sums.get(i)));
        }
        return chunks;
    }

    static ChunkSums sums(ByteBuffer bytes) {
        return ChunkCrcs.of(bytes);
    }
}
