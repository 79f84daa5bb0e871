package io.dedupstore.bench.workload;

/**
 * A seeded permutation of [0, size) that needs no table: four Feistel rounds over the next even
 * number of bits, walked until the result is inside (at most four steps on average).
 */
final class Permutation {
    private static final int ROUNDS = 4;

    private final long size;
    private final long key;
    private final int halfBits;
    private final long halfMask;

    /**
     * @param size from 1 to 2^60
     */
    Permutation(long size, long key) {
        this.size = size;
        this.key = key;
        int bits = Math.max(2, Long.SIZE - Long.numberOfLeadingZeros(size - 1));
        this.halfBits = (bits + 1) / 2;
        this.halfMask = (1L << halfBits) - 1;
    }

    long apply(long number) {
        long result = number;
        do {
            result = rounds(result);
        } while (result >= size);
        return result;
    }

    private long rounds(long number) {
        long left = number >>> halfBits;
        long right = number & halfMask;
        for (int round = 0; round < ROUNDS; round++) {
            long mixed = Mixing.mix(key + round * Mixing.STEP + right) & halfMask;
            long next = left ^ mixed;
            left = right;
            right = next;
        }
        return left << halfBits | right;
    }
}
