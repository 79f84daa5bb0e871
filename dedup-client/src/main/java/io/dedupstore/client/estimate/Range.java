package io.dedupstore.client.estimate;

/** A figure and between what it lies, 19 times in 20. */
record Range(double low, double value, double high) {
    Range {
        if (!(low <= value && value <= high)) {
            throw new IllegalArgumentException(low + " <= " + value + " <= " + high);
        }
    }

    static Range exactly(double value) {
        return new Range(value, value, value);
    }

    /** Symmetric around the value, but within what is possible. */
    static Range around(double value, double margin, double least, double most) {
        double inside = Math.clamp(value, least, most);
        return new Range(
                Math.min(inside, Math.max(least, value - margin)),
                inside,
                Math.max(inside, Math.min(most, value + margin)));
    }

    Range plus(double constant) {
        return new Range(low + constant, value + constant, high + constant);
    }
}
