package io.dedupstore.server.metrics;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * All metrics of a process. Names follow Prometheus: base units ({@code _seconds}, {@code _bytes}),
 * and {@code _total} on counters. Gauges are read where they live, when they are asked for.
 */
public final class MetricRegistry {
    private final Map<String, Registered> registered = new ConcurrentSkipListMap<>();

    private record Registered(String help, String type, Supplier<List<Sample>> samples) {}

    public Counter counter(String name, String help) {
        return counters(name, help).labels();
    }

    public Family<Counter> counters(String name, String help, String... labelNames) {
        requireTotal(name);
        Family<Counter> family = new Family<>(List.of(labelNames), Counter::new);
        register(name, help, "counter", family::samples);
        return family;
    }

    /** A counter that something else keeps. */
    public void counter(String name, String help, DoubleSupplier value) {
        requireTotal(name);
        register(name, help, "counter", () -> List.of(Sample.of(value.getAsDouble())));
    }

    /** Counters that something else keeps. */
    public void counters(String name, String help, Supplier<List<Sample>> samples) {
        requireTotal(name);
        register(name, help, "counter", samples);
    }

    public void gauge(String name, String help, DoubleSupplier value) {
        register(name, help, "gauge", () -> List.of(Sample.of(value.getAsDouble())));
    }

    public void gauges(String name, String help, Supplier<List<Sample>> samples) {
        register(name, help, "gauge", samples);
    }

    public Histogram histogram(String name, String help, List<Double> bounds) {
        return histograms(name, help, bounds).labels();
    }

    public Family<Histogram> histograms(
            String name, String help, List<Double> bounds, String... labelNames) {
        Family<Histogram> family = new Family<>(List.of(labelNames), () -> new Histogram(bounds));
        register(name, help, "histogram", family::samples);
        return family;
    }

    /**
     * Everything, in the text format version 0.0.4. A gauge that fails is left out, so that one
     * broken part does not hide all others.
     */
    public String text() {
        MetricText text = new MetricText();
        registered.forEach(
                (name, metric) -> {
                    List<Sample> samples;
                    try {
                        samples = metric.samples().get();
                    } catch (RuntimeException e) {
                        text.comment(name + " could not be read: " + e);
                        return;
                    }
                    text.family(name, metric.help(), metric.type(), samples);
                });
        return text.toString();
    }

    private void register(String name, String help, String type, Supplier<List<Sample>> samples) {
        if (!name.matches("[a-z][a-z0-9_]*")) {
            throw new IllegalArgumentException("not a metric name: " + name);
        }
        if (registered.putIfAbsent(name, new Registered(help, type, samples)) != null) {
            throw new IllegalStateException("metric " + name + " is registered already");
        }
    }

    private static void requireTotal(String name) {
        if (!name.endsWith("_total")) {
            throw new IllegalArgumentException("a counter's name must end with _total: " + name);
        }
    }
}
