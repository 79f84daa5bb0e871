package io.dedupstore.server;

import io.dedupstore.client.admin.HistogramReport;
import io.dedupstore.client.admin.IndexReport;
import io.dedupstore.client.admin.JobReport;
import io.dedupstore.client.admin.QuotaReport;
import io.dedupstore.client.admin.QuotaSetting;
import io.dedupstore.core.index.Histogram;
import io.dedupstore.core.index.IndexStatistics;
import io.dedupstore.core.kv.TableFiles;
import io.dedupstore.core.maintenance.IndexQuota;
import io.dedupstore.core.maintenance.PruneChoice;
import io.dedupstore.server.admin.AdminException;
import io.dedupstore.server.admin.IndexService;
import io.dedupstore.server.admin.PruneRequest;
import io.dedupstore.server.jobs.Job;
import io.dedupstore.server.jobs.JobException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers for the fingerprint index, and begins its jobs. */
final class LiveIndexService implements IndexService {
    private final NodeCore core;
    private final IndexUpkeep upkeep;
    private final InstantSource clock;

    LiveIndexService(NodeCore core, IndexUpkeep upkeep, InstantSource clock) {
        this.core = core;
        this.upkeep = upkeep;
        this.clock = clock;
    }

    @Override
    public IndexReport index() {
        IndexTotals totals = IndexTotals.of(core);
        long entries = totals.sum(IndexStatistics::entries);
        return new IndexReport(
                new IndexReport.Entries(
                        entries,
                        totals.sum(IndexStatistics::unique),
                        totals.sum(IndexStatistics::duplicate),
                        totals.sum(IndexStatistics::zombies),
                        totals.sum(IndexStatistics::zombieBytes)),
                totals.sum(IndexStatistics::openIntents),
                totals.sum(IndexStatistics::settlingIntents),
                disk(entries),
                memory(entries),
                quota(totals),
                pruning(totals),
                new IndexReport.Audit(
                        totals.balanced(),
                        totals.sum(shard -> shard.audit().checks()),
                        totals.sum(shard -> shard.audit().failures())),
                totals.sum(IndexStatistics::unreadable),
                totals.sum(IndexStatistics::anomalies),
                upkeep.work().isRebuilding());
    }

    private IndexReport.Disk disk(long entries) {
        IndexRoom room = upkeep.room();
        TableFiles.Figures all = room.all();
        long entryBytes = room.entries().fileBytes();
        return new IndexReport.Disk(
                entryBytes,
                all.fileBytes(),
                core.indexLogBytes(),
                perEntry(entryBytes, entries),
                all.files(),
                all.waitingBytes(),
                room.ownDrive(),
                room.driveFreeBytes(),
                core.indexFiles().damages().places());
    }

    private IndexReport.Memory memory(long entries) {
        TableFiles.Figures figures = upkeep.room().entries();
        return new IndexReport.Memory(
                figures.filterBytes(),
                perEntry(figures.filterBytes(), entries),
                upkeep.room().all().memtableBytes());
    }

    private static @Nullable Double perEntry(long bytes, long entries) {
        return entries == 0 ? null : Math.round(10.0 * bytes / entries) / 10.0;
    }

    private IndexReport.Pruning pruning(IndexTotals totals) {
        return new IndexReport.Pruning(
                totals.sum(IndexStatistics::pruned),
                totals.sum(shard -> shard.ghosts().entries()),
                totals.sum(shard -> shard.ghosts().hits()),
                totals.sum(shard -> shard.ghosts().bytes()),
                upkeep.automaticRuns(),
                upkeep.automaticEntries());
    }

    // ---- quota ----

    @Override
    public QuotaReport quota() {
        return quota(IndexTotals.of(core));
    }

    private QuotaReport quota(IndexTotals totals) {
        long limit = totals.entryLimit();
        return new QuotaReport(
                upkeep.quota().text(),
                limit < 0 ? null : limit,
                totals.sum(IndexStatistics::entries),
                totals.over());
    }

    @Override
    public QuotaReport setQuota(QuotaSetting setting) {
        IndexQuota quota;
        try {
            quota = IndexQuota.parse(String.valueOf(setting.quota()));
        } catch (IllegalArgumentException e) {
            throw new AdminException(
                    AdminException.Code.INVALID_REQUEST, String.valueOf(e.getMessage()), e);
        }
        upkeep.setQuota(quota);
        return quota();
    }

    // ---- jobs ----

    @Override
    public JobReport prune(PruneRequest request) {
        PruneChoice choice =
                request.olderThan()
                        .map(this::touchedBefore)
                        .or(() -> request.percent().map(PruneChoice.Percent::new))
                        .or(() -> request.entries().map(PruneChoice.Entries::new))
                        .orElseThrow();
        return begun(() -> upkeep.work().prune("admin", choice, request.dryRun()));
    }

    private PruneChoice touchedBefore(Duration age) {
        return new PruneChoice.TouchedBefore(
                Math.max(0, clock.instant().getEpochSecond() - age.toSeconds()));
    }

    @Override
    public JobReport preload(Preload what) {
        return begun(() -> upkeep.work().preload(what == Preload.ALL));
    }

    @Override
    public JobReport drain() {
        return begun(upkeep.work()::drain);
    }

    @Override
    public JobReport shrink() {
        return begun(upkeep.work()::shrink);
    }

    @Override
    public JobReport rebuild() {
        return begun(() -> upkeep.work().rebuild("admin"));
    }

    @Override
    public JobReport verify(int differences) {
        return begun(() -> upkeep.work().verify(differences));
    }

    private static JobReport begun(Supplier<Job> start) {
        try {
            return LiveJobService.report(start.get());
        } catch (JobException e) {
            AdminException.Code code =
                    switch (e.code()) {
                        case RUNNING -> AdminException.Code.CONFLICT;
                        case CLOSED -> AdminException.Code.UNAVAILABLE;
                    };
            throw new AdminException(code, String.valueOf(e.getMessage()), e);
        }
    }

    // ---- histogram ----

    @Override
    public HistogramReport histogram() {
        IndexTotals totals = IndexTotals.of(core);
        List<Histogram> histograms =
                totals.shards().stream().map(IndexStatistics::histogram).toList();
        List<HistogramReport.Row> rows = new ArrayList<>();
        for (int i = 0; i < Histogram.BUCKETS; i++) {
            HistogramReport.Row row = row(i, histograms);
            if (row.chunks() > 0) {
                rows.add(row);
            }
        }
        return new HistogramReport(
                totals.sum(IndexStatistics::entries), totals.sum(IndexStatistics::unique), rows);
    }

    private static HistogramReport.Row row(int power, List<Histogram> histograms) {
        long chunks = 0;
        long bytes = 0;
        long references = 0;
        long referenced = 0;
        for (Histogram histogram : histograms) {
            Histogram.Bucket bucket = histogram.buckets().get(power);
            chunks += bucket.chunks();
            bytes += bucket.chunkBytes();
            references += bucket.references();
            referenced += bucket.referencedBytes();
        }
        return new HistogramReport.Row(1L << power, chunks, bytes, references, referenced);
    }
}
