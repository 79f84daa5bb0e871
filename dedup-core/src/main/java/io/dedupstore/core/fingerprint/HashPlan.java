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
     * One algorithm. Lists are by number of jobs, from one on.
     *
     * @param usesNative whether new streams and messages go to the native kernels
     * @param nativeDriver names of kernels
     * @param lanes of the widest native kernel
     * @param rows of so many waiting jobs, how many the next call takes
     * @param nativeRates measured bytes a second; empty when not measured
     */
    public record Algorithm(
            DigestAlgorithm algorithm,
            boolean usesNative,
            String nativeDriver,
            int lanes,
            List<Integer> rows,
            List<Double> nativeRates) {
        public Algorithm {
            rows = List.copyOf(rows);
            nativeRates = List.copyOf(nativeRates);
        }

        /** Names the driver in use. */
        public String driver() {
            return usesNative ? nativeDriver : "jdk";
        }

        Algorithm measured(List<Integer> plannedRows, List<Double> rates) {
            return new Algorithm(algorithm, usesNative, nativeDriver, lanes, plannedRows, rates);
        }

        int rowsOf(int waiting) {
            return rows.isEmpty() ? waiting : rows.get(Math.clamp(waiting, 1, rows.size()) - 1);
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
        String driver = nativeDriver(hash);
        return new Algorithm(
                hash.algorithm(), usesNative, driver, lanes(driver), List.of(), List.of());
    }

    /** Kernels are named after their lanes: {@code avx512-x16+sha-ni-x2}. */
    private static int lanes(String driver) {
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
        return NativeLibrary.available() && !nativeDriver(hash).equals("portable");
    }

    static String nativeDriver(BlockHash hash) {
        return switch (hash) {
            case SHA256 -> NativeLibrary.sha256Driver();
            case MD5 -> NativeLibrary.md5Driver();
        };
    }
}
