package io.dedupstore.server;

import io.dedupstore.core.maintenance.FlushPacer;
import io.dedupstore.server.metrics.MetricRegistry;
import io.dedupstore.server.metrics.Sample;
import io.dedupstore.server.raft.RaftGroup;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** What {@code /metrics} shows of the groups: replay, flushing, and work that can wait. */
final class RaftMetrics {
    private final MetricRegistry metrics;
    private final List<RaftGroup> groups;

    private RaftMetrics(MetricRegistry metrics, List<RaftGroup> groups) {
        this.metrics = metrics;
        this.groups = groups;
    }

    static void register(MetricRegistry metrics, List<RaftGroup> groups) {
        RaftMetrics of = new RaftMetrics(metrics, groups);
        of.replay();
        of.flushing();
        of.gauge(
                "dedup_raft_background_share",
                "Share of the time that work which can wait has while requests come.",
                RaftGroup::patientShare);
    }

    private void gauge(String name, String help, ToDoubleFunction<RaftGroup> figure) {
        metrics.gauges(
                name,
                help,
                () ->
                        groups.stream()
                                .map(
                                        group ->
                                                Sample.of(
                                                        figure.applyAsDouble(group),
                                                        new Sample.Label("group", group.name())))
                                .toList());
    }

    private void flush(String name, String help, ToDoubleFunction<FlushPacer.Figures> figure) {
        gauge(name, help, group -> figure.applyAsDouble(group.flushing()));
    }

    private void replay() {
        gauge(
                "dedup_raft_replay_entries",
                "Log entries that a start after a crash now would replay, at most.",
                RaftGroup::unflushedEntries);
        flush(
                "dedup_raft_replay_operations",
                "Operations in them.",
                FlushPacer.Figures::operations);
        flush("dedup_raft_replay_bytes", "Bytes of log of them.", FlushPacer.Figures::bytes);
        gauge(
                "dedup_raft_last_replay_seconds",
                "From reading the log to ready, at the last start.",
                group -> seconds(group.lastReplay().duration().toNanos()));
        gauge(
                "dedup_raft_last_replay_entries",
                "Log entries replayed then.",
                group -> group.lastReplay().entries());
        gauge(
                "dedup_raft_last_replay_bytes",
                "Bytes of them.",
                group -> group.lastReplay().bytes());
    }

    private void flushing() {
        flush(
                "dedup_raft_ingest_operations_rate",
                "Operations applied a second, averaged.",
                FlushPacer.Figures::ingestOperations);
        flush(
                "dedup_raft_ingest_bytes_rate",
                "Bytes of log applied a second, averaged.",
                FlushPacer.Figures::ingestBytes);
        flush(
                "dedup_raft_flush_seconds",
                "What a flush takes, averaged.",
                FlushPacer.Figures::flushSeconds);
        flush(
                "dedup_raft_flush_pressure",
                "1 while flushing keeps up with what comes in.",
                FlushPacer.Figures::pressure);
        flush(
                "dedup_raft_flush_delay_seconds",
                "How long a command is held back because flushing does not keep up.",
                figures -> seconds(figures.delayNanos()));
        flush(
                "dedup_raft_flushes",
                "Flushes since the start of the process.",
                FlushPacer.Figures::flushes);
    }

    private static double seconds(long nanos) {
        return (double) nanos / TimeUnit.SECONDS.toNanos(1);
    }
}
