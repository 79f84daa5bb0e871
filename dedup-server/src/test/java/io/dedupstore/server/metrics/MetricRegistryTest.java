package io.dedupstore.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class MetricRegistryTest {
    private final MetricRegistry registry = new MetricRegistry();

    @Test
    void writesEveryKindOfMetricInTheTextFormat() {
        Family<Counter> requests =
                registry.counters("dedup_requests_total", "Requests.", "operation", "code");
        requests.labels("PutObject", "200").increment();
        requests.labels("PutObject", "200").add(2);
        registry.gauge("dedup_open", "Open \\ things.", () -> 1.5);
        Histogram latency = registry.histogram("dedup_seconds", "Time.", List.of(0.1, 1.0));
        latency.observe(0.1);
        latency.observe(0.5);
        latency.observe(7);
        assertThat(registry.text())
                .isEqualTo(
                        """
                        # HELP dedup_open Open \\\\ things.
                        # TYPE dedup_open gauge
                        dedup_open 1.5
                        # HELP dedup_requests_total Requests.
                        # TYPE dedup_requests_total counter
                        dedup_requests_total{operation="PutObject",code="200"} 3
                        # HELP dedup_seconds Time.
                        # TYPE dedup_seconds histogram
                        dedup_seconds_bucket{le="0.1"} 1
                        dedup_seconds_bucket{le="1"} 2
                        dedup_seconds_bucket{le="+Inf"} 3
                        dedup_seconds_sum 7.6
                        dedup_seconds_count 3
                        """);
    }

    @Test
    void labelValuesCannotBreakOutOfTheirQuotes() {
        registry.gauges(
                "dedup_bucket_bytes",
                "Bytes.",
                () -> List.of(Sample.of(1, new Sample.Label("bucket", "a\"} 9\nb\\"))));
        assertThat(registry.text()).contains("dedup_bucket_bytes{bucket=\"a\\\"} 9\\nb\\\\\"} 1\n");
    }

    @Test
    void tooManyLabelSetsAreCountedTogether() {
        Family<Counter> family = registry.counters("dedup_codes_total", "Codes.", "code");
        int more = 5;
        for (int i = 0; i < Family.MAX_LABEL_SETS + more; i++) {
            family.labels("code-" + i).increment();
        }
        assertThat(family.labels(Family.OVERFLOW).value()).isEqualTo(more);
    }

    @Test
    void aGaugeThatFailsHidesNoOther() {
        registry.gauge(
                "dedup_a",
                "Broken.",
                () -> {
                    throw new IllegalStateException("closed");
                });
        registry.gauge("dedup_b", "Fine.", () -> 2);
        assertThat(registry.text()).contains("# dedup_a could not be read").contains("dedup_b 2\n");
    }

    @Test
    void aNameIsTakenOnceAndFollowsTheConventions() {
        registry.gauge("dedup_a", "First.", () -> 1);
        assertThatThrownBy(() -> registry.gauge("dedup_a", "Second.", () -> 1))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> registry.counter("dedup_requests", "No _total."))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> registry.gauge("dedup-a", "Hyphen.", () -> 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theProcessTellsItsMemory() {
        ProcessMetrics.register(registry);
        String resident =
                registry.text()
                        .lines()
                        .filter(line -> line.startsWith("process_resident_memory_bytes "))
                        .findFirst()
                        .orElseThrow();
        assertThat(Double.parseDouble(resident.split(" ")[1])).isGreaterThan(1 << 20);
    }
}
