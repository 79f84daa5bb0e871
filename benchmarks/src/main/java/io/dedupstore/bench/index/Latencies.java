package io.dedupstore.bench.index;

/**
 * Times in buckets that are 1/16 of their value wide, so that any number of them takes no more than
 * a few kilobytes. Any number of threads may add.
 */
final class Latencies {
    private static final int STEPS = 16;
    private static final int STEP_BITS = 4;

    private final java.util.concurrent.atomic.AtomicLongArray counts =
            new java.util.concurrent.atomic.AtomicLongArray(Long.SIZE * STEPS);

    void add(long nanos) {
        counts.incrementAndGet(bucket(Math.max(nanos, STEPS)));
    }

    private static int bucket(long nanos) {
        int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
        int step = (int) (nanos >>> (exponent - STEP_BITS)) & (STEPS - 1);
        return exponent * STEPS + step;
    }

    private static long upperEnd(int bucket) {
        int exponent = bucket / STEPS;
        return (STEPS + bucket % STEPS + 1L) << (exponent - STEP_BITS);
    }

    long count() {
        long all = 0;
        for (int i = 0; i < counts.length(); i++) {
            all += counts.get(i);
        }
        return all;
    }

    /** Milliseconds that this share of all did not exceed; 0 when there are none. */
    double millis(double share) {
        long wanted = (long) Math.ceil(count() * share);
        long seen = 0;
        for (int i = 0; i < counts.length(); i++) {
            seen += counts.get(i);
            if (wanted > 0 && seen >= wanted) {
                return upperEnd(i) / 1e6;
            }
        }
        return 0;
    }
}
