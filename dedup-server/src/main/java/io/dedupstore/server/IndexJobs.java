package io.dedupstore.server;

import io.dedupstore.client.admin.DrainReport;
import io.dedupstore.client.admin.PreloadReport;
import io.dedupstore.client.admin.PruneReport;
import io.dedupstore.client.admin.RebuildReport;
import io.dedupstore.client.admin.ShrinkReport;
import io.dedupstore.client.admin.VerifyReport;
import io.dedupstore.core.control.ClusterLayout;
import io.dedupstore.core.index.IndexCut;
import io.dedupstore.core.index.IndexShardClient;
import io.dedupstore.core.io.LocalDisk;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.kv.TableFiles;
import io.dedupstore.core.maintenance.FlushPacer;
import io.dedupstore.core.maintenance.IndexRebuild;
import io.dedupstore.core.maintenance.IndexVerifier;
import io.dedupstore.core.maintenance.PruneChoice;
import io.dedupstore.core.maintenance.PrunePlan;
import io.dedupstore.core.maintenance.Pruner;
import io.dedupstore.core.maintenance.RatePacer;
import io.dedupstore.core.metadata.MetadataCut;
import io.dedupstore.core.metadata.ReplicatedMetadataShard;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.spi.PrunableShard;
import io.dedupstore.core.spi.SlotCut;
import io.dedupstore.server.cluster.GatewaySessions;
import io.dedupstore.server.config.MaintenanceConfig;
import io.dedupstore.server.jobs.Job;
import io.dedupstore.server.jobs.Jobs;
import io.dedupstore.server.jobs.Progress;
import io.dedupstore.server.raft.RaftGroup;
import io.dedupstore.server.storage.StorageNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The long operations on the fingerprint index. Each may be stopped at any point and begun again:
 * what it did until then is done, and nothing is half.
 */
final class IndexJobs {
    static final String PRUNE = "index-prune";
    static final String PRELOAD = "index-preload";
    static final String SHRINK = "index-shrink";
    static final String VERIFY = "index-verify";
    static final String REBUILD = "index-rebuild";
    static final String DRAIN = "index-drain";

    private static final long LONGEST_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int COHERENT_ATTEMPTS = 30;
    private static final int ATTEMPTS = 300;
    private static final Duration ATTEMPT_PAUSE = Duration.ofMillis(10);

    /** A verification may take this share of the heap. */
    private static final int HEAP_SHARE = 8;

    private static final int SLOT_BYTES = 13;

    private final MaintenanceConfig config;

    /** Requests that began before a rebuild have this long to end. */
    private static final Duration LAST_WRITES = Duration.ofSeconds(2);

    private final NodeCore core;
    private final GatewaySessions sessions;
    private final StorageNode storage;
    private final IndexRoom room;
    private final Jobs jobs;
    private volatile Verification lastVerification = new Verification(-1, -1);

    /** What a complete verification came to; -1 before the first. */
    record Verification(long differences, double seconds) {}

    IndexJobs(
            MaintenanceConfig config,
            NodeCore core,
            GatewaySessions sessions,
            StorageNode storage,
            IndexRoom room,
            Jobs jobs) {
        this.config = config;
        this.core = core;
        this.sessions = sessions;
        this.storage = storage;
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
                        .map(
                                shard ->
                                        new Counted(
                                                new IndexShardClient(
                                                        shard.id(), core.indexGroup().patient()),
                                                scanned,
                                                progress))
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
        // From here on it is what was removed that counts, not the scan beside it.
        scanned.set(Long.MIN_VALUE);
        RatePacer pacer = new RatePacer(config.pruneRate());
        AtomicLong before = new AtomicLong();
        Pruner.Result result =
                pruner.prune(
                        plan,
                        (entries, bytes) -> {
                            progress.at(entries);
                            long gone = entries - before.getAndSet(entries);
                            rest(progress, pacer.spend(gone, System.nanoTime()));
                        });
        return report(false, plan, result);
    }

    /** In short sleeps, so that it can be cancelled. */
    private static void rest(Progress progress, long nanos) {
        long until = System.nanoTime() + nanos;
        for (long left = nanos;
                left > 0 && !progress.cancelled() && !Thread.currentThread().isInterrupted();
                left = until - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, LONGEST_SLEEP_NANOS));
        }
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
        RaftGroup group = core.indexGroup();
        AtomicLong sliceStart = new AtomicLong(start);
        group.capFileRate(config.shrinkRate());
        try {
            core.indexFiles()
                    .compact(
                            core.indexTables(),
                            (done, total) -> {
                                // Requests are asked after each slice how they have fared.
                                long now = System.nanoTime();
                                long worked = done == 0 ? 0 : now - sliceStart.get();
                                rest(progress, group.pacer().restNanos(worked, now));
                                sliceStart.set(System.nanoTime());
                                return goOn(progress, done, total);
                            });
        } finally {
            group.capFileRate(Long.MAX_VALUE);
        }
        return new ShrinkReport(before, room.all().fileBytes(), secondsSince(start));
    }

    Job drain() {
        return jobs.start(DRAIN, "admin", this::drain);
    }

    /** All groups: what comes after a crash is one start, not one of the index alone. */
    private DrainReport drain(Progress progress) {
        long start = System.nanoTime();
        List<DrainReport.Group> drained = new ArrayList<>();
        List<RaftGroup> groups = core.groups();
        progress.phase("flushing stores", "groups", groups.size());
        for (RaftGroup group : groups) {
            if (progress.cancelled()) {
                break;
            }
            long groupStart = System.nanoTime();
            FlushPacer.Figures before = group.flushing();
            long entries = group.unflushedEntries();
            group.flush();
            drained.add(
                    new DrainReport.Group(
                            group.name(),
                            entries,
                            before.operations(),
                            before.bytes(),
                            secondsSince(groupStart)));
            progress.at(drained.size());
        }
        return new DrainReport(drained, secondsSince(start));
    }

    // ---- rebuild ----

    boolean isRebuilding() {
        return core.index().shards().stream().anyMatch(IndexShardClient::isRebuilding);
    }

    Job rebuild(String by) {
        return jobs.start(REBUILD, by, this::rebuild);
    }

    /** See {@link IndexRebuild} for the order. */
    private RebuildReport rebuild(Progress progress) throws InterruptedException {
        long start = System.nanoTime();
        EpochFloor floor = EpochFloor.of(core.control());
        List<IndexShardClient> shards = core.index().shards();
        int before =
                sessions.renewBehind(
                        () ->
                                shards.forEach(
                                        shard ->
                                                shard.beginRebuild(
                                                        floor.opened(), floor.forgotten())));
        progress.phase("waiting for writes that began before", "", 0);
        Thread.sleep(LAST_WRITES);
        sessions.endEarlier();
        List<ShardId> metadata = core.control().layout().metadata();
        metadata.forEach(
                id ->
                        new ReplicatedMetadataShard(id, core.shards().groupOf(id))
                                .refuseEpoch(before));
        progress.phase("removing what was there", "", 0);
        while (!shards.stream().allMatch(IndexShardClient::isWiped)) {
            if (progress.cancelled()) {
                throw new CancellationException("the index stays empty until it is rebuilt");
            }
            Thread.sleep(ATTEMPT_PAUSE);
        }
        int closedEpoch = core.control().closedEpoch();
        IndexRebuild.Result made;
        try (SlotCut slots = storage.cut()) {
            made =
                    core.metadataGroup()
                            .readLocal(
                                    rows ->
                                            new IndexRebuild(
                                                            shards,
                                                            shards.size(),
                                                            new LocalDisk(),
                                                            core.scratch(),
                                                            core::seconds,
                                                            new RebuildWatch(progress))
                                                    .run(
                                                            slots,
                                                            cuts(core.control().layout(), rows),
                                                            closedEpoch));
        }
        return new RebuildReport(
                made.holders(),
                made.references(),
                made.entries(),
                made.forgotten(),
                made.adopted(),
                made.freed(),
                made.lost(),
                IndexTotals.of(core).balanced(),
                secondsSince(start));
    }

    private record RebuildWatch(Progress progress) implements IndexRebuild.Watch {
        @Override
        public void phase(String name, String unit, long total) {
            progress.phase(name, unit, total);
        }

        @Override
        public boolean at(long done) {
            progress.at(done);
            return !progress.cancelled();
        }
    }

    // ---- verify ----

    Verification lastVerification() {
        return lastVerification;
    }

    Job verify(int named) {
        return jobs.start(VERIFY, "admin", progress -> verify(progress, named));
    }

    /** Views that do not fit together are taken again; see {@link IndexVerifier}. */
    private VerifyReport verify(Progress progress, int named) throws InterruptedException {
        long start = System.nanoTime();
        if (isRebuilding()) {
            throw new IllegalStateException("the index is being rebuilt; verify it afterwards");
        }
        for (int attempt = 0; attempt < ATTEMPTS && !progress.cancelled(); attempt++) {
            boolean insist = attempt < COHERENT_ATTEMPTS;
            Optional<IndexVerifier.Result> result = verifyOnce(progress, named, insist);
            if (result.isPresent()) {
                if (result.get().complete()) {
                    lastVerification =
                            new Verification(result.get().differences(), secondsSince(start));
                }
                return report(result.get());
            }
            Thread.sleep(ATTEMPT_PAUSE);
        }
        throw new IllegalStateException(
                "the index was ahead of what metadata has sent at each of many looks; either the"
                        + " streams are too fast to be caught, or one of the two was restored from"
                        + " an older copy");
    }

    /** The order of the views matters. */
    private Optional<IndexVerifier.Result> verifyOnce(
            Progress progress, int named, boolean insist) {
        int closedEpoch = core.control().closedEpoch();
        List<ContainerId> before = storage.containers();
        ClusterLayout layout = core.control().layout();
        return core.metadataGroup()
                .readLocal(
                        metadata ->
                                core.indexGroup()
                                        .readLocal(
                                                index -> {
                                                    try (SlotCut slots = storage.cut()) {
                                                        return verify(
                                                                new IndexVerifier.Cut(
                                                                        closedEpoch,
                                                                        before,
                                                                        cuts(layout, metadata),
                                                                        indexCuts(layout, index),
                                                                        slots),
                                                                progress,
                                                                named,
                                                                insist);
                                                    }
                                                }));
    }

    private static List<MetadataCut> cuts(ClusterLayout layout, KvReader rows) {
        return layout.metadata().stream().map(id -> new MetadataCut(rows, id)).toList();
    }

    private static List<IndexCut> indexCuts(ClusterLayout layout, KvReader rows) {
        return layout.index().stream().map(id -> new IndexCut(rows, id)).toList();
    }

    private static Optional<IndexVerifier.Result> verify(
            IndexVerifier.Cut cut, Progress progress, int named, boolean insist) {
        if (insist ? !IndexVerifier.isCoherent(cut) : !IndexVerifier.indexFits(cut)) {
            return Optional.empty();
        }
        long slotsAtOnce = Runtime.getRuntime().maxMemory() / HEAP_SHARE / SLOT_BYTES;
        IndexVerifier verifier =
                new IndexVerifier(cut, slotsAtOnce, named, new Watch(progress, rows(cut)));
        return Optional.of(verifier.run());
    }

    /** About what one group of containers is compared with. */
    private static long rows(IndexVerifier.Cut cut) {
        long entries = cut.index().stream().mapToLong(index -> index.statistics().entries()).sum();
        return entries + cut.metadata().stream().mapToLong(MetadataCut::chunks).sum();
    }

    private record Watch(Progress progress, long rows) implements IndexVerifier.Watch {
        @Override
        public void group(int number, int groups) {
            progress.phase(
                    "comparing, group %d of %d".formatted(number, groups),
                    "chunks and entries",
                    rows);
        }

        @Override
        public boolean at(long done) {
            progress.at(done);
            return !progress.cancelled();
        }
    }

    private static VerifyReport report(IndexVerifier.Result result) {
        return new VerifyReport(
                result.holders(),
                result.references(),
                result.unindexed(),
                result.entries(),
                result.pruned(),
                result.containers(),
                result.slots(),
                result.skipped(),
                result.differences(),
                result.named().stream()
                        .map(
                                found ->
                                        new VerifyReport.Difference(
                                                found.kind()
                                                        .name()
                                                        .toLowerCase(Locale.ROOT)
                                                        .replace('_', '-'),
                                                found.where(),
                                                found.detail(),
                                                found.kind().lossy()))
                        .toList(),
                result.complete());
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
