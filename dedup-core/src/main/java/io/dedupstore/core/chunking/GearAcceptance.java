package io.dedupstore.core.chunking;

/**
 * Which seeds are good enough. A run of one byte, or a short period of bytes that fill gaps (0x00,
 * 0xff, space), gives the same few hashes again and again; were one of them below a threshold,
 * every such run would be cut at the minimum length.
 */
final class GearAcceptance {

    /** The loosest threshold of any profile: 8 KiB average. */
    static final int THRESHOLD =
            ChunkingSpec.Cdc.ofAverage(ChunkingSpec.Cdc.MIN_AVERAGE).looseThreshold();

    private static final int[] FILLERS = {0x00, 0xff, 0x20};
    private static final int MAX_PERIOD = 8;
    private static final int CHAIN_STEPS = 32;

    private GearAcceptance() {}

    static boolean accepts(int[] seed, int[] table) {
        return isInjective(seed) && runsAreQuiet(table) && periodsAreQuiet(table);
    }

    /** The eight columns of A are linearly independent over GF(2). */
    static boolean isInjective(int[] seed) {
        int constant = seed[8];
        int[] table = GearTable.expand(seed);
        for (int b = 1; b < 256; b++) {
            if (table[b] == constant) {
                return false;
            }
        }
        return true;
    }

    private static boolean runsAreQuiet(int[] table) {
        for (int g : table) {
            if (isCandidate(-2 * g)) {
                return false;
            }
        }
        return true;
    }

    private static boolean periodsAreQuiet(int[] table) {
        for (int period = 2; period <= MAX_PERIOD; period++) {
            int[] digits = new int[period];
            do {
                if (isCandidate(hashOfPeriod(table, digits))) {
                    return false;
                }
            } while (increment(digits));
        }
        return true;
    }

    /** h after a long input of the period that ends with the period's last byte. */
    private static int hashOfPeriod(int[] table, int[] digits) {
        int period = digits.length;
        int h = 0;
        // Terms in reverse: the term k steps back has weight 2^k.
        for (int k = CHAIN_STEPS - 1; k >= 0; k--) {
            int at = Math.floorMod(period - 1 - 2 * k, period);
            int before = Math.floorMod(at - 1, period);
            h = 2 * h + table[FILLERS[digits[at]]] + table[FILLERS[digits[before]]];
        }
        return h;
    }

    /**
     * Counts through all words over the fillers; rotations are words too, so each phase is tested.
     */
    private static boolean increment(int[] digits) {
        for (int i = 0; i < digits.length; i++) {
            if (++digits[i] < FILLERS.length) {
                return true;
            }
            digits[i] = 0;
        }
        return false;
    }

    private static boolean isCandidate(int h) {
        return Integer.compareUnsigned(h, THRESHOLD) < 0;
    }
}
