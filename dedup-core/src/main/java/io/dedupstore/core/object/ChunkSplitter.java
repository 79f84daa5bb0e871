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

/** Views of a window's chunks ► chunks with sums and fingerprints. Runs on the hash pool. */
final class ChunkSplitter {
    private ChunkSplitter() {}

    static List<Chunk> fingerprint(List<ByteBuffer> views, Fingerprinter fingerprinter) {
        List<ByteBuffer> stored = new ArrayList<>(views.size());
        boolean[] zero = new boolean[views.size()];
        for (int i = 0; i < zero.length; i++) {
            zero[i] = ZeroChunks.isZero(views.get(i));
            if (!zero[i]) {
                stored.add(views.get(i));
            }
        }
        List<Fingerprint> named = stored.isEmpty() ? List.of() : fingerprinter.fingerprints(stored);
        Iterator<Fingerprint> names = named.iterator();
        List<Chunk> chunks = new ArrayList<>(views.size());
        for (int i = 0; i < zero.length; i++) {
            ByteBuffer view = views.get(i);
            chunks.add(new Chunk(view, zero[i] ? null : names.next(), sums(view)));
        }
        return chunks;
    }

    static ChunkSums sums(ByteBuffer bytes) {
        return ChunkCrcs.of(bytes);
    }
}
