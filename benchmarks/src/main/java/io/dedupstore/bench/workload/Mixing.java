package io.dedupstore.bench.workload;

/**
 * A bijection of 64 bits whose result looks random: Stafford's variant 13 of the MurmurHash3
 * finalizer, as in SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
 * 2014). Written out here because generated data must not change with a library.
 */
final class Mixing {
    /** The golden ratio in 64 bits, odd: multiples of it are far apart. */
    static final long STEP = 0x9E3779B97F4A7C15L;

    private static final long FIRST = 0xBF58476D1CE4E5B9L;
    private static final long SECOND = 0x94D049BB133111EBL;
    private static final long FIRST_INVERSE = 0x96DE1B173F119089L;
    private static final long SECOND_INVERSE = 0x319642B2D24D8EC3L;

    private Mixing() {}

    static long mix(long value) {
        long z = (value ^ (value >>> 30)) * FIRST;
        z = (z ^ (z >>> 27)) * SECOND;
        return z ^ (z >>> 31);
    }

    /** The value whose mix this is. */
    static long unmix(long mixed) {
        long z = (mixed ^ (mixed >>> 31) ^ (mixed >>> 62)) * SECOND_INVERSE;
        z = (z ^ (z >>> 27) ^ (z >>> 54)) * FIRST_INVERSE;
        return z ^ (z >>> 30) ^ (z >>> 60);
    }

    /** One key of two, in an order that matters. */
    static long key(long seed, long number) {
        return mix(mix(seed + STEP) + number);
    }
}
