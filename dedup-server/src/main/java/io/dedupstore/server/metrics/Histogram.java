package io.dedupstore.server.metrics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts values by upper bound. Any number of threads; a scrape may see a value in count but not in
 * sum.
 */
public final class Histogram implements Metric {
    /** Seconds, from half a millisecond to a minute. */
    public static final List<Double> LATENCY_SECONDS =
            List.of(
                    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0,
                    10.0, 60.0);

    private final double[] bounds;
    private final LongAdder[] counts;
    private final DoubleAdder sum = new DoubleAdder();

    Histogram(List<Double> bounds) {
        this.bounds = bounds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        this.counts = new LongAdder[this.bounds.length + 1];
        Arrays.setAll(counts, i -> new LongAdder());
    }

    public void observe(double value) {
        int slot = Arrays.binarySearch(bounds, value);
        counts[slot >= 0 ? slot : -slot - 1].increment();
        sum.add(value);
    }

    @Override
    public List<Sample> samples() {
        List<Sample> samples = new ArrayList<>(counts.length + 2);
        long total = 0;
        for (int i = 0; i < counts.length; i++) {
            total += counts[i].sum();
            String bound = i < bounds.length ? MetricText.number(bounds[i]) : "+Inf";
            samples.add(new Sample("_bucket", List.of(new Sample.Label("le", bound)), total));
        }
        samples.add(new Sample("_sum", List.of(), sum.sum()));
        samples.add(new Sample("_count", List.of(), total));
        return samples;
    }
}
