package io.dedupstore.core.fingerprint;

import io.dedupstore.core.jni.NativeDigest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Measures how long calls with each number of jobs take, the best of many, and plans from that: as
 * many jobs a call as finish what waits soonest. Takes less than 100 ms.
 *
 * <p>The Java runtime's digests are not measured: before their intrinsics are compiled, which takes
 * seconds, they are a hundred times slower than afterwards. Vector kernels beat them on every
 * processor, and plain C loses to them on every one, so that is the choice.
 */
final class Calibration {
    /** Long enough that code not yet compiled around the kernels hardly shows. */
    private static final int BYTES = 64 << 10;

    private static final long NANOS_EACH = 35_000_000;

    /** What splitting a call must gain to be more than an error of measurement. */
    private static final double WORTH = 0.95;

    private Calibration() {}

    static HashPlan run() {
        List<HashPlan.Algorithm> algorithms = new ArrayList<>();
        List<ByteBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < HashPlan.MAX_ROWS; i++) {
            buffers.add(ByteBuffer.allocateDirect(BYTES));
        }
        for (BlockHash hash : BlockHash.values()) {
            algorithms.add(
                    HashPlan.isWorthwhile(hash)
                            ? plan(hash, measure(hash, buffers))
                            : HashPlan.unmeasured(hash, false));
        }
        return new HashPlan(true, algorithms);
    }

    /** Seconds by number of jobs from one on. */
    private static double[] measure(BlockHash hash, List<ByteBuffer> buffers) {
        NativeDigest.Table table = new NativeDigest.Table();
        List<int[]> states = new ArrayList<>();
        buffers.forEach(buffer -> states.add(hash.initial()));
        int[] blocks = new int[buffers.size()];
        Arrays.fill(blocks, BYTES / NativeDigest.BLOCK);
        double[] seconds = new double[buffers.size()];
        Arrays.fill(seconds, Double.MAX_VALUE);
        long end = System.nanoTime() + NANOS_EACH;
        do {
            for (int n = 1; n <= seconds.length; n++) {
                long start = System.nanoTime();
                table.update(hash.kernel(), states.subList(0, n), buffers.subList(0, n), blocks);
                seconds[n - 1] = Math.min(seconds[n - 1], (System.nanoTime() - start) / 1e9);
            }
        } while (System.nanoTime() < end);
        return seconds;
    }

    /**
     * @param seconds of calls with one job, two, ...
     */
    static HashPlan.Algorithm plan(BlockHash hash, double[] seconds) {
        int most = seconds.length;
        double[] best = new double[most + 1];
        List<Integer> rows = new ArrayList<>();
        List<Double> rates = new ArrayList<>();
        for (int n = 1; n <= most; n++) {
            int chosen = n;
            best[n] = seconds[n - 1];
            double whole = best[n];
            for (int first = n - 1; first >= 1; first--) {
                double split = seconds[first - 1] + best[n - first];
                if (split < best[n] && split < whole * WORTH) {
                    best[n] = split;
                    chosen = first;
                }
            }
            rows.add(chosen);
            rates.add(n * BYTES / best[n]);
        }
        return HashPlan.unmeasured(hash, true).measured(rows, rates);
    }
}
