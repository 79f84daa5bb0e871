package io.dedupstore.core.checksum;

/**
 * Combination of CRCs: crc(A then B) from crc(A), crc(B) and the length of B.
 *
 * <p>For a reflected CRC with equal initial and final inversion, crc(AB) = crc(A)·x^(8·|B|) xor
 * crc(B) modulo the polynomial. Powers are found by square and multiply, at most 63 steps for any
 * length. Polynomials are kept reflected: bit 63 of a long is the coefficient of x^0 for 64 bits,
 * bit 31 for 32 bits.
 */
final class Gf2 {
    private Gf2() {}

    /**
     * @param width 32 or 64
     * @param polynomial reflected, without its leading term
     */
    static long combine(int width, long polynomial, long crcA, long crcB, long lengthB) {
        if (lengthB < 0) {
            throw new IllegalArgumentException("length " + lengthB + " is negative");
        }
        return multiply(width, polynomial, crcA, power(width, polynomial, lengthB)) ^ crcB;
    }

    /** x^(8·bytes) modulo the polynomial. */
    private static long power(int width, long polynomial, long bytes) {
        long one = 1L << (width - 1);
        long result = one;
        // x^8: one shifted right by eight in reflected order.
        long square = one >>> 8;
        for (long left = bytes; left != 0; left >>>= 1) {
            if ((left & 1) != 0) {
                result = multiply(width, polynomial, result, square);
            }
            square = multiply(width, polynomial, square, square);
        }
        return result;
    }

    private static long multiply(int width, long polynomial, long a, long b) {
        long product = 0;
        long shifted = b;
        for (int bit = width - 1; bit >= 0; bit--) {
            product ^= -(a >>> bit & 1) & shifted;
            shifted = (shifted >>> 1) ^ (-(shifted & 1) & polynomial);
        }
        return product;
    }
}
