package io.dedupstore.core.checksum;

/**
 * Combination of CRCs: crc(A then B) from crc(A), crc(B) and the length of B.
 *
 * <p>For a reflected CRC with equal initial and final inversion, crc(AB) = crc(A)·x^(8·|B|) xor
 * crc(B) modulo the polynomial. The power is a product of table entries, one for each byte of the
 * length that is not zero, so the usual lengths of chunks take three multiplications.
 *
 * <p>Polynomials are reflected and kept in the upper bits of a long: bit 63 is the coefficient of
 * x^0, whatever the width. Shifting right multiplies by x, and what falls out below the width is
 * folded back.
 */
final class Gf2 {
    private static final int DIGITS = Long.BYTES;
    private static final int WINDOW_BITS = 4;
    private static final int WINDOW_VALUES = 1 << WINDOW_BITS;

    private final int width;
    private final long polynomial;

    /** What the lowest four bits become when they fall out. */
    private final long[] fallen = new long[WINDOW_VALUES];

    /** {@code powers[d][v]} is x^(8·v·256^d). */
    private final long[][] powers = new long[DIGITS][256];

    /**
     * @param width 32 or 64
     * @param polynomial reflected, without its leading term
     */
    Gf2(int width, long polynomial) {
        this.width = width;
        this.polynomial = polynomial << (64 - width);
        for (int bits = 0; bits < WINDOW_VALUES; bits++) {
            long value = (long) bits << (64 - width);
            for (int i = 0; i < WINDOW_BITS; i++) {
                value = timesX(value);
            }
            fallen[bits] = value;
        }
        long unit = Long.MIN_VALUE >>> 8;
        for (int digit = 0; digit < DIGITS; digit++) {
            long[] row = powers[digit];
            row[0] = Long.MIN_VALUE;
            for (int v = 1; v < row.length; v++) {
                row[v] = multiply(row[v - 1], unit);
            }
            unit = multiply(row[row.length - 1], unit);
        }
    }

    /** CRCs in the lower bits, as everywhere else. */
    long combine(long crcA, long crcB, long lengthB) {
        if (lengthB < 0) {
            throw new IllegalArgumentException("length " + lengthB + " is negative");
        }
        long product = crcA << (64 - width);
        long left = lengthB;
        for (int digit = 0; left != 0; digit++, left >>>= 8) {
            int v = (int) left & 0xff;
            if (v != 0) {
                product = multiply(product, powers[digit][v]);
            }
        }
        return product >>> (64 - width) ^ crcB;
    }

    private long timesX(long a) {
        int low = 64 - width;
        long carried = a >>> low & 1;
        return (a >>> (low + 1)) << low ^ -carried & polynomial;
    }

    /** Horner's rule over four coefficients of a at a time, those of the highest powers first. */
    private long multiply(long a, long b) {
        long[] multiples = new long[WINDOW_VALUES];
        long shifted = b;
        for (int bit = WINDOW_VALUES / 2; bit > 0; bit >>= 1) {
            multiples[bit] = shifted;
            shifted = timesX(shifted);
        }
        for (int bits = 1; bits < WINDOW_VALUES; bits++) {
            int lowest = bits & -bits;
            multiples[bits] = multiples[lowest] ^ multiples[bits ^ lowest];
        }
        int low = 64 - width;
        long product = 0;
        for (int at = low; at < 64; at += WINDOW_BITS) {
            int out = (int) (product >>> low) & (WINDOW_VALUES - 1);
            product = (product >>> (low + WINDOW_BITS)) << low;
            product ^= fallen[out] ^ multiples[(int) (a >>> at) & (WINDOW_VALUES - 1)];
        }
        return product;
    }
}
