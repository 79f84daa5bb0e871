package io.dedupstore.bench.workload;

/** Random numbers from a key; the same for ever. One thread. */
final class Draw {
    private static final double TO_FRACTION = 0x1.0p-53;

    private long state;

    Draw(long key) {
        this.state = key;
    }

    long next() {
        state += Mixing.STEP;
        return Mixing.mix(state);
    }

    /** From 0 to below the bound, which is positive. */
    long below(long bound) {
        return Math.unsignedMultiplyHigh(next(), bound);
    }

    /** From 0 to below 1. */
    double fraction() {
        return (next() >>> 11) * TO_FRACTION;
    }
}
