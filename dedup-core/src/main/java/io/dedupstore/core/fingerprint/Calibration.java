package io.dedupstore.core.fingerprint;

import io.dedupstore.core.jni.NativeDigest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Measures how long calls with each number of jobs take, the best of many, and plans from that: as
 * many jobs a call, and of the driver, as finish what waits soonest. Takes less than 100 ms.
 *
 * <p>The driver that is composed of several kernels is measured with every number. A single kernel
 * takes as long with one job as with as many as it has lanes, so it is measured once with all.
 *
 * <p>The Java runtime's digests are not measured: before their intrinsics are compiled, which takes
 * seconds, they are a hundred times slower than afterwards. Vector kernels beat them on every
 * processor, and plain C loses to them on every one, so that is the choice.
 */
final class Calibration {
    /** Long enough that code not yet compiled around the kernels hardly shows. */
    private static final int BYTES = 32 << 10;

    private static final long NANOS_EACH = 30_000_000;

    /** What another driver or a split must gain to be more than an error of measurement. */
    private static final double WORTH = 0.95;

    private final BlockHash hash;
    private final List<String> drivers;
    private final NativeDigest.Table table = new NativeDigest.Table();
    private final List<int[]> states = new ArrayList<>();
    private final List<ByteBuffer> buffers;
    private final int[] blocks = new int[HashPlan.MAX_ROWS];

    private Calibration(BlockHash hash, List<ByteBuffer> buffers) {
        this.hash = hash;
        this.drivers = hash.kernel().drivers();
        this.buffers = buffers;
        buffers.forEach(buffer -> states.add(hash.initial()));
        Arrays.fill(blocks, BYTES / NativeDigest.BLOCK);
    }

    static HashPlan run() {
        List<HashPlan.Algorithm> algorithms = new ArrayList<>();
        List<ByteBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < HashPlan.MAX_ROWS; i++) {
            buffers.add(ByteBuffer.allocateDirect(BYTES));
        }
        for (BlockHash hash : BlockHash.values()) {
            algorithms.add(
                    HashPlan.isWorthwhile(hash)
                            ? plan(hash, new Calibration(hash, buffers).measure())
                            : HashPlan.unmeasured(hash, false));
        }
        return new HashPlan(true, algorithms);
    }

    /** Seconds by driver, and by number of jobs from one on. */
    private double[][] measure() {
        double[][] seconds = new double[drivers.size()][HashPlan.MAX_ROWS];
        for (double[] ofDriver : seconds) {
            Arrays.fill(ofDriver, Double.MAX_VALUE);
        }
        long end = System.nanoTime() + NANOS_EACH;
        boolean first = true;
        while (first || System.nanoTime() < end) {
            for (int n = 1; n <= HashPlan.MAX_ROWS && (first || System.nanoTime() < end); n++) {
                seconds[0][n - 1] = Math.min(seconds[0][n - 1], call(0, n));
            }
            for (int driver = 1; driver < drivers.size(); driver++) {
                int lanes = Math.min(HashPlan.lanes(drivers.get(driver)), HashPlan.MAX_ROWS);
                double one = call(driver, lanes);
                for (int n = 1; n <= HashPlan.MAX_ROWS; n++) {
                    int rounds = (n + lanes - 1) / lanes;
                    seconds[driver][n - 1] = Math.min(seconds[driver][n - 1], rounds * one);
                }
            }
            first = false;
        }
        return seconds;
    }

    private double call(int driver, int n) {
        long start = System.nanoTime();
        table.update(hash.kernel(), driver, states.subList(0, n), buffers.subList(0, n), blocks);
        return (System.nanoTime() - start) / 1e9;
    }

    /**
     * @param seconds by driver, of calls with one job, two, ...
     */
    static HashPlan.Algorithm plan(BlockHash hash, double[][] seconds) {
        int most = seconds[0].length;
        double[] best = new double[most + 1];
        List<HashPlan.Step> steps = new ArrayList<>();
        for (int n = 1; n <= most; n++) {
            int driver = 0;
            for (int other = 1; other < seconds.length; other++) {
                double limit = Math.min(seconds[0][n - 1] * WORTH, seconds[driver][n - 1]);
                driver = seconds[other][n - 1] < limit ? other : driver;
            }
            int rows = n;
            double whole = seconds[driver][n - 1];
            best[n] = whole;
            for (int first = n - 1; first >= 1; first--) {
                double split = best[first] + best[n - first];
                if (split < best[n] && split < whole * WORTH) {
                    best[n] = split;
                    rows = steps.get(first - 1).rows();
                    driver = steps.get(first - 1).driver();
                }
            }
            steps.add(new HashPlan.Step(rows, driver, n * BYTES / best[n]));
        }
        return HashPlan.unmeasured(hash, true).measured(steps);
    }
}
