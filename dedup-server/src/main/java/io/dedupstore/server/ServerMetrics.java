package io.dedupstore.server;

import io.dedupstore.core.object.BufferBudget;
import io.dedupstore.server.http.HttpServer;
import io.dedupstore.server.metrics.MetricRegistry;
import io.dedupstore.server.metrics.ProcessMetrics;
import io.dedupstore.server.storage.StorageNode;

/** What {@code /metrics} shows; everything is read where it lives when it is asked for. */
final class ServerMetrics {
    private ServerMetrics() {}

    static void register(
            MetricRegistry metrics,
            HttpServer s3Port,
            StorageNode storage,
            BufferBudget budget,
            NodeCore core) {
        ProcessMetrics.register(metrics);
        http(metrics, s3Port);
        storage(metrics, storage);
        scrub(metrics, storage);
        dedup(metrics, core);
        RaftMetrics.register(metrics, core.groups());
        metrics.gauge(
                "dedup_request_memory_bytes",
                "Buffers that running requests hold.",
                budget::bytesInUse);
        metrics.gauge(
                "dedup_store_cache_bytes",
                "Block cache and memtables of all stores.",
                core.stores()::usedBytes);
    }

    private static void http(MetricRegistry metrics, HttpServer port) {
        metrics.gauge(
                "dedup_http_connections",
                "Open connections of the S3 port.",
                () -> port.stats().openConnections());
        metrics.gauge(
                "dedup_http_requests_running",
                "Requests being handled.",
                () -> port.stats().activeRequests());
        metrics.counter("dedup_http_requests_total", "Requests.", () -> port.stats().requests());
        metrics.counter(
                "dedup_http_received_bytes_total",
                "Bytes from clients.",
                () -> port.stats().receivedBytes());
        metrics.counter(
                "dedup_http_sent_bytes_total", "Bytes to clients.", () -> port.stats().sentBytes());
        metrics.counter(
                "dedup_http_failures_total",
                "Requests whose handler failed.",
                () -> port.stats().handlerFailures());
        metrics.counter(
                "dedup_http_protocol_errors_total",
                "What was not proper HTTP.",
                () -> port.stats().protocolErrors());
    }

    private static void storage(MetricRegistry metrics, StorageNode storage) {
        metrics.gauge(
                "dedup_container_bytes",
                "Length of all container files.",
                () -> storage.statistics().fileBytes());
        metrics.gauge(
                "dedup_container_live_bytes",
                "Records that something refers to, or may.",
                () -> storage.statistics().liveBytes());
        metrics.gauge(
                "dedup_drive_usable_bytes",
                "Free space of all drives.",
                () -> storage.statistics().usableBytes());
        metrics.counter(
                "dedup_container_appended_bytes_total",
                "Record bytes appended.",
                () -> storage.statistics().appendedBytes());
        metrics.counter(
                "dedup_container_syncs_total",
                "Syncs of container files.",
                () -> storage.statistics().syncs());
        metrics.counter(
                "dedup_compacted_bytes_total",
                "Bytes rewritten by compaction.",
                () -> storage.statistics().compactedBytes());
    }

    private static void scrub(MetricRegistry metrics, StorageNode storage) {
        metrics.counter(
                "dedup_scrub_records_total",
                "Records that scrub has verified.",
                () -> storage.statistics().scrubbedRecords());
        metrics.counter(
                "dedup_scrub_bytes_total",
                "Bytes it has read for it.",
                () -> storage.statistics().scrubbedBytes());
        metrics.counter(
                "dedup_scrub_damaged_total",
                "Damaged records it has met, each time anew.",
                () -> storage.statistics().damagedRecords());
        metrics.gauge(
                "dedup_scrub_damaged_slots",
                "Slots that are known to be damaged.",
                storage::damagedSlots);
        metrics.gauge(
                "dedup_scrub_running",
                "1 while a scrub is under way.",
                () -> storage.scrubStatus().running() ? 1 : 0);
        metrics.gauge(
                "dedup_scrub_last_end_seconds",
                "When the last scrub ended, in seconds since 1970; 0 before the first has.",
                () -> storage.scrubStatus().endedMillis() / 1000.0);
        metrics.counter(
                "dedup_container_failed_compactions_total",
                "Compactions that failed; the containers stay as they were.",
                () -> storage.statistics().failedCompactions());
    }

    private static void dedup(MetricRegistry metrics, NodeCore core) {
        metrics.gauge(
                "dedup_logical_bytes",
                "Bytes as clients see them.",
                () -> DedupTotals.of(core).usage().logicalBytes());
        metrics.gauge(
                "dedup_referenced_chunk_bytes",
                "Chunk bytes, each reference counted.",
                () -> DedupTotals.of(core).usage().referencedChunkBytes());
        metrics.gauge(
                "dedup_distinct_chunk_bytes",
                "Chunk bytes, each content once.",
                () -> DedupTotals.of(core).usage().distinctChunkBytes());
    }
}
