package io.dedupstore.server.metrics;

import java.util.List;

/** What one set of label values counts. */
sealed interface Metric permits Counter, Histogram {
    List<Sample> samples();
}
