package io.dedupstore.server;

import io.dedupstore.core.index.IndexClient;
import io.dedupstore.core.index.IndexStatistics;
import io.dedupstore.server.jobs.Job;
import io.dedupstore.server.jobs.JobState;
import io.dedupstore.server.metrics.MetricRegistry;
import io.dedupstore.server.metrics.Sample;
import java.util.List;
import java.util.function.ToLongFunction;

/** What {@code /metrics} shows of the fingerprint index and of jobs. */
final class IndexMetrics {
    private final MetricRegistry metrics;
    private final NodeCore core;
    private final IndexUpkeep upkeep;
    private final Background background;

    private IndexMetrics(
            MetricRegistry metrics, NodeCore core, IndexUpkeep upkeep, Background background) {
        this.metrics = metrics;
        this.core = core;
        this.upkeep = upkeep;
        this.background = background;
    }

    static void register(
            MetricRegistry metrics, NodeCore core, IndexUpkeep upkeep, Background background) {
        IndexMetrics index = new IndexMetrics(metrics, core, upkeep, background);
        index.unindexed();
        index.damage();
        index.entries();
        index.lookups();
        index.files();
        index.quota();
        index.pruning();
        index.audit();
        index.jobs();
    }

    private void gauge(String name, String help, ToLongFunction<IndexStatistics> figure) {
        metrics.gauge(name, help, () -> IndexTotals.of(core).sum(figure));
    }

    private void counter(String name, String help, ToLongFunction<IndexStatistics> figure) {
        metrics.counter(name, help, () -> IndexTotals.of(core).sum(figure));
    }

    private void entries() {
        metrics.gauges(
                "dedup_index_entries",
                "Fingerprints by table; unique ones have one reference or none.",
                () -> {
                    IndexTotals totals = IndexTotals.of(core);
                    return List.of(
                            sample("unique", totals.sum(IndexStatistics::unique)),
                            sample("duplicate", totals.sum(IndexStatistics::duplicate)));
                });
        gauge(
                "dedup_index_references",
                "References that entries count.",
                shard -> shard.histogram().total().references());
        gauge(
                "dedup_index_zombies",
                "Entries without references, waiting for collection.",
                IndexStatistics::zombies);
        gauge(
                "dedup_index_open_intents",
                "Writes that claimed chunks and are undecided.",
                IndexStatistics::openIntents);
        gauge(
                "dedup_index_settling_intents",
                "Decided writes that are being settled.",
                IndexStatistics::settlingIntents);
    }

    private void lookups() {
        metrics.counter(
                "dedup_index_lookup_total",
                "Fingerprints asked for by this process.",
                () -> core.index().lookups().all());
        metrics.counter(
                "dedup_index_lookup_existing_total",
                "Of them, those that were known.",
                () -> core.index().lookups().existing());
        metrics.counter(
                "dedup_index_lookup_new_total",
                "Of them, those that were not.",
                () -> {
                    IndexClient.Lookups lookups = core.index().lookups();
                    return lookups.all() - lookups.existing();
                });
    }

    private static Sample sample(String table, long value) {
        return Sample.of(value, new Sample.Label("table", table));
    }

    private void files() {
        metrics.gauge(
                "dedup_index_table_bytes",
                "Files of the index's tables.",
                () -> upkeep.room().all().fileBytes());
        metrics.gauge(
                "dedup_index_entry_bytes",
                "Files of the tables that entries are in.",
                () -> upkeep.room().entries().fileBytes());
        metrics.gauge("dedup_index_log_bytes", "Log in front of the tables.", core::indexLogBytes);
        metrics.gauge(
                "dedup_index_filter_bytes",
                "Memory of filters and table indexes.",
                () -> upkeep.room().entries().filterBytes());
        metrics.gauge(
                "dedup_index_memtable_bytes",
                "Memory of what has not been flushed.",
                () -> upkeep.room().all().memtableBytes());
        metrics.gauge(
                "dedup_index_compaction_waiting_bytes",
                "Bytes that compaction has still to rewrite.",
                () -> upkeep.room().all().waitingBytes());
        metrics.gauge(
                "dedup_index_damaged_places",
                "Places of the tables that could not be read since the start: a fault.",
                () -> core.indexFiles().damages().places());
        metrics.gauge(
                "dedup_index_drive_free_bytes",
                "Free space of the drive that the index is on.",
                () -> upkeep.room().driveFreeBytes());
    }

    private void quota() {
        metrics.gauge(
                "dedup_index_entry_limit",
                "No entries are added at this many; -1 for no limit.",
                () -> IndexTotals.of(core).entryLimit());
        metrics.gauge(
                "dedup_index_over_quota",
                "1 while new chunks are stored unindexed.",
                () -> IndexTotals.of(core).over() ? 1 : 0);
        metrics.counter(
                "dedup_index_automatic_prunes_total",
                "Prunes by the quota.",
                upkeep::automaticRuns);
        metrics.counter(
                "dedup_index_automatic_pruned_entries_total",
                "Entries they took.",
                upkeep::automaticEntries);
    }

    private void pruning() {
        gauge(
                "dedup_index_pruned",
                "Entries that were pruned and whose owners still have them.",
                IndexStatistics::pruned);
        gauge(
                "dedup_index_ghosts",
                "Pruned fingerprints that are remembered, estimated.",
                shard -> shard.ghosts().entries());
        counter(
                "dedup_index_ghost_hits_total",
                "Pruned fingerprints that were stored anew, estimated.",
                shard -> shard.ghosts().hits());
        counter(
                "dedup_index_ghost_hit_bytes_total",
                "Bytes that would have deduplicated without pruning, estimated.",
                shard -> shard.ghosts().bytes());
    }

    private void unindexed() {
        metrics.gauge(
                "dedup_unindexed_bytes",
                "Chunk bytes that are stored without the index.",
                () -> DedupTotals.of(core).unindexedBytes());
        metrics.counter(
                "dedup_rededuped_chunks_total",
                "Chunks stored without the index that refer to it now.",
                () -> background.rededuped().chunks());
        metrics.counter(
                "dedup_rededuped_bytes_total",
                "Their bytes.",
                () -> background.rededuped().bytes());
        metrics.counter(
                "dedup_rededuped_copied_bytes_total",
                "Of them, those that the index did not have, so that they were copied.",
                () -> background.rededuped().copiedBytes());
    }

    private void damage() {
        metrics.counter(
                "dedup_suspect_marked_total",
                "Chunks that could not be read, and are not used for new data since.",
                () -> background.healer().marked());
        metrics.counter(
                "dedup_healed_slots_total",
                "Damaged slots that are whole again.",
                () -> background.healer().healed());
    }

    private void audit() {
        metrics.gauge(
                "dedup_index_audit_balanced",
                "1 while references that entries count are those that owners have.",
                () -> IndexTotals.of(core).balanced() ? 1 : 0);
        counter(
                "dedup_index_audit_checks_total",
                "Comparisons with what metadata shards told.",
                shard -> shard.audit().checks());
        counter(
                "dedup_index_audit_failures_total",
                "Comparisons that did not agree: a fault.",
                shard -> shard.audit().failures());
        counter(
                "dedup_index_unreadable_total",
                "Meetings with entries that cannot be read.",
                IndexStatistics::unreadable);
        counter(
                "dedup_index_anomalies_total",
                "Settlements and releases that did not find what must be there: a fault.",
                IndexStatistics::anomalies);
    }

    private void jobs() {
        metrics.gauge(
                "dedup_index_verify_differences",
                "Differences that the last complete verification found; -1 before the first.",
                () -> upkeep.work().lastVerification().differences());
        metrics.gauge(
                "dedup_index_verify_seconds",
                "How long it took; -1 before the first.",
                () -> upkeep.work().lastVerification().seconds());
        metrics.gauges(
                "dedup_job_done",
                "Done in the present phase of running jobs.",
                () -> running(JobState::done));
        metrics.gauges(
                "dedup_job_total",
                "Of this phase; 0 while it is not known.",
                () -> running(JobState::total));
    }

    private List<Sample> running(ToLongFunction<JobState> figure) {
        return upkeep.jobs().all().stream()
                .map(Job::state)
                .filter(state -> state.state() == JobState.State.RUNNING)
                .map(
                        state ->
                                Sample.of(
                                        figure.applyAsLong(state),
                                        new Sample.Label("kind", state.kind())))
                .toList();
    }
}
