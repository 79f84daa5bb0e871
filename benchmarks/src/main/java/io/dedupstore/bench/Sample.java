package io.dedupstore.bench;

import java.util.ArrayList;
import java.util.List;

/** Rates of repeated rounds. */
public final class Sample {
    private final List<Double> values = new ArrayList<>();

    public void add(double value) {
        values.add(value);
    }

    public double average() {
        return values.stream().mapToDouble(value -> value).average().orElse(0);
    }

    public double min() {
        return values.stream().mapToDouble(value -> value).min().orElse(0);
    }

    public double max() {
        return values.stream().mapToDouble(value -> value).max().orElse(0);
    }

    /** Standard deviation in percent of the average. */
    public double deviationPercent() {
        double average = average();
        double squares = values.stream().mapToDouble(v -> (v - average) * (v - average)).sum();
        return values.size() < 2 || average == 0
                ? 0
                : 100 * Math.sqrt(squares / (values.size() - 1)) / average;
    }
}
