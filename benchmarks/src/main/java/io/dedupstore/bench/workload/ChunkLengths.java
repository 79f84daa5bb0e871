package io.dedupstore.bench.workload;

import io.dedupstore.core.chunking.Chunker;
import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.chunking.GearTable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * How long the chunks are that the product's content-defined chunkers cut a workload into. Data
 * that repeats itself offers fewer places to cut.
 *
 * @param meanBytes of a chunk; the last one of each object counts too
 */
record ChunkLengths(ChunkingSpec chunking, double meanBytes) {
    private static final long MOST_BYTES = 64 << 20;

    /** Room for a few of the longest chunks. */
    static final int WINDOW_BYTES = 4 << 20;

    private static final int MOST_CUTS = 1024;

    static List<ChunkLengths> measure(Workload workload) {
        GearTable table = GearTable.derive(new byte[32]);
        ByteBuffer window = ByteBuffer.allocateDirect(WINDOW_BYTES);
        List<ChunkLengths> results = new ArrayList<>();
        for (int average : new int[] {8 << 10, 64 << 10}) {
            ChunkingSpec chunking = ChunkingSpec.Cdc.ofAverage(average);
            long bytes = 0;
            long chunks = 0;
            for (long n = 0; n < workload.spec().objects() && bytes < MOST_BYTES; n++) {
                Cuts cuts = new Cuts(workload.object(n), Chunker.of(chunking, table), window);
                long most = Math.min(cuts.object.length(), MOST_BYTES);
                while (cuts.at < most) {
                    for (ByteBuffer chunk : cuts.next()) {
                        bytes += chunk.remaining();
                        chunks++;
                    }
                }
            }
            results.add(new ChunkLengths(chunking, (double) bytes / chunks));
        }
        return results;
    }

    /** Cuts an object, window by window. */
    static final class Cuts {
        private final WorkloadObject object;
        private final Chunker chunker;
        private final ByteBuffer window;
        private final int[] lengths = new int[MOST_CUTS];
        private long at;

        Cuts(WorkloadObject object, Chunker chunker, ByteBuffer window) {
            this.object = object;
            this.chunker = chunker;
            this.window = window;
        }

        /** Some more chunks, good until the next call; none at the object's end. */
        List<ByteBuffer> next() {
            window.clear().limit((int) Math.min(window.capacity(), object.length() - at));
            object.fill(at, window);
            boolean end = at + window.flip().limit() == object.length();
            int count = chunker.cuts(window, end, lengths);
            List<ByteBuffer> chunks = new ArrayList<>(count);
            int start = 0;
            for (int i = 0; i < count; i++) {
                chunks.add(window.slice(start, lengths[i]));
                start += lengths[i];
            }
            at += start;
            return chunks;
        }
    }
}
