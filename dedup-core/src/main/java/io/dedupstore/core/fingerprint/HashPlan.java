package io.dedupstore.core.fingerprint;

import io.dedupstore.core.jni.NativeDigest;
import io.dedupstore.core.jni.NativeLibrary;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Which driver runs how many jobs of an algorithm.
 *
 * @param calibrated measured on this machine; otherwise what is usually best
 */
public record HashPlan(boolean calibrated, List<Algorithm> algorithms) {
    static final int MAX_ROWS = NativeDigest.Table.ROWS;

    private static final Pattern LANES = Pattern.compile("-x([0-9]{1,3})(?:\\+|$)");

    public HashPlan {
        algorithms = List.copyOf(algorithms);
    }

    /**
     * What is done when so many jobs wait.
     *
     * @param rows that the next call takes of them
     * @param driver index in {@link NativeDigest#drivers()}
     * @param rate bytes a second, until all of them are done
     */
    public record Step(int rows, int driver, double rate) {}

    /**
     * One algorithm.
     *
     * @param usesNative whether new streams and messages go to the native kernels
     * @param nativeDrivers names of drivers, the composed one first
     * @param lanes of the widest native kernel
     * @param steps by number of waiting jobs, from one on; empty when not measured
     */
    public record Algorithm(
            DigestAlgorithm algorithm,
            boolean usesNative,
            List<String> nativeDrivers,
            int lanes,
            List<Step> steps) {
        public Algorithm {
            nativeDrivers = List.copyOf(nativeDrivers);
            steps = List.copyOf(steps);
        }

        /** Names the driver in use. */
        public String driver() {
            return usesNative ? nativeDrivers.getFirst() : "jdk";
        }

        Algorithm measured(List<Step> found) {
            return new Algorithm(algorithm, usesNative, nativeDrivers, lanes, found);
        }

        /** For the next call, of so many waiting jobs. */
        Step step(int waiting) {
            return steps.isEmpty()
                    ? new Step(waiting, 0, 0)
                    : steps.get(Math.clamp(waiting, 1, steps.size()) - 1);
        }
    }

    Algorithm of(BlockHash hash) {
        return algorithms.get(hash.ordinal());
    }

    boolean usesNative(BlockHash hash) {
        return of(hash).usesNative();
    }

    /** What holds until something was measured, or what was ordered. */
    static HashPlan unmeasured(HashDriver driver) {
        List<Algorithm> algorithms = new ArrayList<>();
        for (BlockHash hash : BlockHash.values()) {
            algorithms.add(unmeasured(hash, usesNative(driver, hash)));
        }
        return new HashPlan(false, algorithms);
    }

    static Algorithm unmeasured(BlockHash hash, boolean usesNative) {
        List<String> drivers = usesNative ? hash.kernel().drivers() : List.of();
        int lanes = drivers.isEmpty() ? 1 : lanes(drivers.getFirst());
        return new Algorithm(hash.algorithm(), usesNative, drivers, lanes, List.of());
    }

    /** Kernels are named after their lanes: {@code avx512-x16+sha-ni-x2}. */
    static int lanes(String driver) {
        return LANES.matcher(driver)
                .results()
                .mapToInt(found -> Integer.parseInt(found.group(1)))
                .max()
                .orElse(1);
    }

    private static boolean usesNative(HashDriver driver, BlockHash hash) {
        return switch (driver) {
            case AUTO -> isWorthwhile(hash);
            case NATIVE -> true;
            case JDK -> false;
        };
    }

    /** Plain C loses to the Java runtime's intrinsics. */
    static boolean isWorthwhile(BlockHash hash) {
        return NativeLibrary.available() && !hash.kernel().drivers().getFirst().equals("portable");
    }
}
