package io.dedupstore.core.fingerprint;

import io.dedupstore.core.jni.NativeDigest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Runs a segment of each of several streams with one native call. One thread's own. */
final class StreamLanes {
    /** What a stream runs at most before others may join. */
    static final int SEGMENT_BLOCKS = (64 << 10) / NativeDigest.BLOCK;

    /** A call is not cut shorter than this for the sake of full lanes. */
    static final int LEAST_BLOCKS = (4 << 10) / NativeDigest.BLOCK;

    private final NativeDigest.Table table = new NativeDigest.Table();

    /**
     * @param driver index in the kernel's drivers
     * @param more whether further jobs wait for lanes
     */
    void run(BlockHash hash, int driver, List<DigestJob> jobs, int lanes, boolean more) {
        int[] blocks = new int[jobs.size()];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = stream(jobs.get(i)).open(jobs.get(i).bytes());
        }
        // A single kernel has no narrower one to hand a last long row to.
        cut(blocks, lanes, more || driver != 0);
        List<int[]> states = new ArrayList<>(blocks.length);
        List<ByteBuffer> buffers = new ArrayList<>(blocks.length);
        int[] rows = new int[blocks.length];
        for (int i = 0; i < blocks.length; i++) {
            if (blocks[i] > 0) {
                rows[states.size()] = blocks[i];
                states.add(stream(jobs.get(i)).state());
                buffers.add(jobs.get(i).bytes());
            }
        }
        if (states.size() == 1 && driver == 0) {
            hash.kernel().blocks(states.getFirst(), buffers.getFirst(), rows[0]);
        } else if (!states.isEmpty()) {
            table.update(hash.kernel(), driver, states, buffers, rows);
        }
        for (int i = 0; i < blocks.length; i++) {
            stream(jobs.get(i)).advance(jobs.get(i).bytes(), blocks[i]);
        }
    }

    private static NativeRunningDigest stream(DigestJob job) {
        return (NativeRunningDigest) job.stream();
    }

    /**
     * Shortens rows to what one call runs of them, some to nothing. A kernel gives its lanes the
     * rows in their order, the lane that is free first the next one; where others wait for lanes,
     * all lanes are to end at about the same time.
     *
     * @param blocks of the rows; changed
     */
    static void cut(int[] blocks, int lanes, boolean more) {
        long[] ends = new long[Math.max(1, Math.min(blocks.length, lanes))];
        long[] startOf = new long[blocks.length];
        for (int i = 0; i < blocks.length; i++) {
            int lane = firstFree(ends);
            startOf[i] = ends[lane];
            ends[lane] += Math.min(blocks[i], SEGMENT_BLOCKS);
        }
        long end = SEGMENT_BLOCKS;
        if (more) {
            end = Math.max(LEAST_BLOCKS, Math.min(end, ends[firstFree(ends)]));
        }
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = (int) Math.clamp(end - startOf[i], 0, blocks[i]);
        }
    }

    private static int firstFree(long[] ends) {
        int first = 0;
        for (int i = 1; i < ends.length; i++) {
            if (ends[i] < ends[first]) {
                first = i;
            }
        }
        return first;
    }

    /** Runs a segment of a stream through its own driver. */
    static void runAlone(DigestJob job) {
        ByteBuffer bytes = job.bytes();
        int segment = Math.min(bytes.remaining(), SEGMENT_BLOCKS * NativeDigest.BLOCK);
        job.stream().update(bytes.slice(bytes.position(), segment));
        bytes.position(bytes.position() + segment);
    }
}
