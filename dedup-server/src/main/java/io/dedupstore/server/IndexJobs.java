package io.dedupstore.server;

import io.dedupstore.client.admin.PreloadReport;
import io.dedupstore.client.admin.PruneReport;
import io.dedupstore.client.admin.ShrinkReport;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.kv.TableFiles;
import io.dedupstore.core.maintenance.PruneChoice;
import io.dedupstore.core.maintenance.PrunePlan;
import io.dedupstore.core.maintenance.Pruner;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.spi.PrunableShard;
import io.dedupstore.server.jobs.Job;
import io.dedupstore.server.jobs.Jobs;
import io.dedupstore.server.jobs.Progress;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The long operations on the fingerprint index. Each may be stopped at any point and begun again:
 * what it did until then is done, and nothing is half.
 */
final class IndexJobs {
    static final String PRUNE = "index-prune";
    static final String PRELOAD = "index-preload";
    static final String SHRINK = "index-shrink";

    private final NodeCore core;
    private final IndexRoom room;
    private final Jobs jobs;

    IndexJobs(NodeCore core, IndexRoom room, Jobs jobs) {
        this.core = core;
        this.room = room;
        this.jobs = jobs;
    }

    // ---- prune ----

    Job prune(String by, PruneChoice choice, boolean dryRun) {
        return jobs.start(PRUNE, by, progress -> prune(progress, choice, dryRun));
    }

    private PruneReport prune(Progress progress, PruneChoice choice, boolean dryRun) {
        AtomicLong scanned = new AtomicLong();
        List<Counted> shards =
                core.index().shards().stream()
                        .map(shard -> new Counted(shard, scanned, progress))
                        .toList();
        long unique = core.index().shards().stream().mapToLong(s -> s.statistics().unique()).sum();
        Pruner pruner = new Pruner(shards, progress::cancelled);
        // Ages are counted by two scans.
        progress.phase("counting ages", "entries", 2 * unique);
        PrunePlan plan = pruner.plan(choice);
        if (dryRun || progress.cancelled()) {
            return report(dryRun, plan, new Pruner.Result(0, 0, true));
        }
        progress.phase("removing", "entries", plan.entries());
        scanned.set(Long.MIN_VALUE);
        Pruner.Result result = pruner.prune(plan, (entries, bytes) -> progress.at(entries));
        return report(false, plan, result);
    }

    private static PruneReport report(boolean dryRun, PrunePlan plan, Pruner.Result result) {
        return new PruneReport(
                dryRun,
                plan.scanned(),
                plan.entries(),
                Instant.ofEpochSecond(plan.second()).toString(),
                result.entries(),
                result.bytes());
    }

    /** A shard whose scans show as progress while {@code scanned} is not negative. */
    private record Counted(PrunableShard shard, AtomicLong scanned, Progress progress)
            implements PrunableShard {
        @Override
        public ShardId id() {
            return shard.id();
        }

        @Override
        public UniqueRun uniqueEntries(@Nullable Fingerprint after, int rows) {
            UniqueRun run = shard.uniqueEntries(after, rows);
            long all = scanned.addAndGet(run.entries().size());
            if (all >= 0) {
                progress.at(all);
            }
            return run;
        }

        @Override
        public Pruned prune(long untouchedSince, List<Fingerprint> fingerprints) {
            return shard.prune(untouchedSince, fingerprints);
        }
    }

    // ---- tables ----

    Job preload(boolean all) {
        return jobs.start(PRELOAD, "admin", progress -> preload(progress, all));
    }

    private PreloadReport preload(Progress progress, boolean all) {
        long start = System.nanoTime();
        List<Table> tables = core.indexTables();
        TableFiles files = core.indexFiles();
        AtomicLong read = new AtomicLong();
        TableFiles.Progress told =
                (done, total) -> {
                    read.set(done);
                    return goOn(progress, done, total);
                };
        if (all) {
            progress.phase("reading tables", "bytes", 0);
            files.readAll(tables, told);
        } else {
            progress.phase("reading filters", "files", 0);
            files.readFilters(tables, told);
        }
        return new PreloadReport(
                all ? "all" : "filters", read.get(), secondsSince(start), room.all().filterBytes());
    }

    Job shrink() {
        return jobs.start(SHRINK, "admin", this::shrink);
    }

    private ShrinkReport shrink(Progress progress) {
        long start = System.nanoTime();
        long before = room.all().fileBytes();
        progress.phase("compacting tables", "bytes", before);
        core.indexFiles().compact(core.indexTables(), (done, total) -> goOn(progress, done, total));
        return new ShrinkReport(before, room.all().fileBytes(), secondsSince(start));
    }

    private static boolean goOn(Progress progress, long done, long total) {
        progress.at(done, total);
        // What is finished cannot be cancelled any more.
        return done >= total || !progress.cancelled();
    }

    private static double secondsSince(long startNanos) {
        return (double) (System.nanoTime() - startNanos) / TimeUnit.SECONDS.toNanos(1);
    }
}
