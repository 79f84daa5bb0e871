package io.dedupstore.core.parity;

/** GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1 (0x11d), of which x is a generator. */
final class GaloisField {
    static final int POLYNOMIAL = 0x11d;

    private static final int ORDER = 255;
    private static final int[] POWERS = new int[2 * ORDER];
    private static final int[] LOGARITHMS = new int[ORDER + 1];

    static {
        int power = 1;
        for (int i = 0; i < ORDER; i++) {
            POWERS[i] = power;
            POWERS[i + ORDER] = power;
            LOGARITHMS[power] = i;
            power <<= 1;
            power ^= power > ORDER ? POLYNOMIAL : 0;
        }
    }

    private GaloisField() {}

    static int multiply(int a, int b) {
        return a == 0 || b == 0 ? 0 : POWERS[LOGARITHMS[a] + LOGARITHMS[b]];
    }

    static int invert(int a) {
        if (a == 0) {
            throw new ArithmeticException("zero has no inverse");
        }
        return POWERS[ORDER - LOGARITHMS[a]];
    }
}
