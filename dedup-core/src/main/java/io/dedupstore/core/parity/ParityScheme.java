package io.dedupstore.core.parity;

/**
 * How many fragments carry data and how many parity: any {@code parity} of them may be lost.
 * Fragments are numbered from 0, those of data first.
 */
public record ParityScheme(int data, int parity) {
    public static final int MAX_FRAGMENTS = 32;

    public ParityScheme {
        if (data < 1 || parity < 1 || data > MAX_FRAGMENTS || parity > MAX_FRAGMENTS - data) {
            throw new IllegalArgumentException(
                    "parity scheme %d+%d: each number must be at least 1, together at most %d"
                            .formatted(data, parity, MAX_FRAGMENTS));
        }
    }

    /** Reads {@code k+m}, as in {@code 4+2}. */
    public static ParityScheme parse(String text) {
        String[] numbers = text.strip().split("\\+", -1);
        try {
            if (numbers.length == 2) {
                return new ParityScheme(
                        Integer.parseUnsignedInt(numbers[0]), Integer.parseUnsignedInt(numbers[1]));
            }
        } catch (NumberFormatException e) {
            // Said below, for both.
        }
        throw new IllegalArgumentException(
                "a parity scheme is written as in 4+2, not '" + text + "'");
    }

    public String format() {
        return data + "+" + parity;
    }

    public int fragments() {
        return data + parity;
    }

    /** Whether the fragment carries data; refuses numbers of no fragment. */
    boolean carriesData(int fragment) {
        if (fragment < 0 || fragment >= fragments()) {
            throw new IllegalArgumentException(
                    "%s has no fragment %d".formatted(format(), fragment));
        }
        return fragment < data;
    }
}
