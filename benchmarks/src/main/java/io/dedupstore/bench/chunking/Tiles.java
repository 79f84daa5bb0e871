package io.dedupstore.bench.chunking;

import io.dedupstore.core.chunking.Chunker;
import io.dedupstore.core.jni.NativeSha256;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Objects cut as the product does it: in windows, the undecided rest of one in the next. Each
 * window is timed by itself and its best time kept, so that what else runs on the machine, which
 * comes in bursts longer than a window, is seen as little as possible.
 */
final class Tiles {
    private static final int WINDOW_BYTES = 4 << 20;

    private final int[] lengths = new int[WINDOW_BYTES / 1024];
    private final NativeSha256.Table table = new NativeSha256.Table();
    private final List<ByteBuffer> chunks = new ArrayList<>();

    /** Best times of the windows of some data, in their order. */
    static final class Times {
        private final List<Long> best = new ArrayList<>();
        private int next;

        private void restart() {
            next = 0;
        }

        private void add(long nanos) {
            if (next == best.size()) {
                best.add(nanos);
            } else {
                best.set(next, Math.min(nanos, best.get(next)));
            }
            next++;
        }

        /** Of all windows. */
        long nanos() {
            return best.stream().mapToLong(Long::longValue).sum();
        }
    }

    /** What is done with the chunks of a window while they are hot. */
    interface Use {
        void chunks(List<ByteBuffer> chunks);
    }

    /** Cuts, and times only that. */
    void cut(ChunkData data, Chunker chunker, Times times) {
        each(data, chunker, chunks -> {}, times);
    }

    /** Cuts and hashes, both timed, with this thread alone. */
    void cutAndHash(ChunkData data, Chunker chunker, Times times) {
        each(data, chunker, this::sha256, times);
    }

    /** Packed digests; what an engine does with jobs that all wait. */
    byte[] sha256(List<ByteBuffer> all) {
        byte[] digests = new byte[all.size() * NativeSha256.LENGTH];
        for (int at = 0; at < all.size(); at += NativeSha256.Table.ROWS) {
            int end = Math.min(all.size(), at + NativeSha256.Table.ROWS);
            table.sha256(all.subList(at, end), digests, at * NativeSha256.LENGTH);
        }
        return digests;
    }

    List<ByteBuffer> chunks(ChunkData data, Chunker chunker) {
        List<ByteBuffer> all = new ArrayList<>();
        each(data, chunker, all::addAll, new Times());
        return all;
    }

    private void each(ChunkData data, Chunker chunker, Use use, Times times) {
        times.restart();
        for (ByteBuffer object : data.objects()) {
            for (int at = object.position(); at < object.limit(); ) {
                long start = System.nanoTime();
                int length = Math.min(WINDOW_BYTES, object.limit() - at);
                boolean end = at + length == object.limit();
                int n = chunker.cuts(object.slice(at, length), end, lengths);
                chunks.clear();
                for (int i = 0; i < n; i++) {
                    chunks.add(object.slice(at, lengths[i]));
                    at += lengths[i];
                }
                use.chunks(chunks);
                times.add(System.nanoTime() - start);
            }
        }
    }
}
