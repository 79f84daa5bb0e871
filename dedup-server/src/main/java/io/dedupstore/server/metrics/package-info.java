/**
 * A small registry of counters, gauges and histograms, written out in Prometheus' text format.
 * Knows nothing of what is measured, nor of HTTP.
 */
@NullMarked
package io.dedupstore.server.metrics;

import org.jspecify.annotations.NullMarked;
