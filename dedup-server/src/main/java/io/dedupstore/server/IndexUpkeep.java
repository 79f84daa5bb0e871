package io.dedupstore.server;

import io.dedupstore.client.admin.PruneReport;
import io.dedupstore.core.index.IndexShardClient;
import io.dedupstore.core.index.IndexStatistics;
import io.dedupstore.core.maintenance.IndexLimit;
import io.dedupstore.core.maintenance.IndexQuota;
import io.dedupstore.core.maintenance.PruneChoice;
import io.dedupstore.core.maintenance.QuotaKeeper;
import io.dedupstore.server.cluster.GatewaySessions;
import io.dedupstore.server.cluster.PeriodicWork;
import io.dedupstore.server.config.ServerConfig;
import io.dedupstore.server.jobs.Job;
import io.dedupstore.server.jobs.JobException;
import io.dedupstore.server.jobs.Jobs;
import io.dedupstore.server.storage.StorageNode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the fingerprint index of this node: its jobs, its quota, and the prunes that the
 * quota asks for.
 */
final class IndexUpkeep implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IndexUpkeep.class);
    private static final String QUOTA_SETTING = "index.quota";
    private static final Duration REBUILD_AGAIN = Duration.ofMinutes(1);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

    private final NodeCore core;
    private final IndexRoom room;
    private final Jobs jobs;
    private final IndexJobs work;
    private final QuotaKeeper keeper;
    private final PeriodicWork loop;
    private long nextRebuildNanos = System.nanoTime();
    private final AtomicLong automaticRuns = new AtomicLong();
    private final AtomicLong automaticEntries = new AtomicLong();

    IndexUpkeep(
            ServerConfig config,
            NodeCore core,
            GatewaySessions sessions,
            StorageNode storage,
            InstantSource clock) {
        this.core = core;
        this.room = new IndexRoom(config.storage(), core);
        this.jobs = new Jobs(clock, System::nanoTime);
        this.work = new IndexJobs(config.maintenance(), core, sessions, storage, room, jobs);
        this.keeper =
                new QuotaKeeper(
                        this::quota,
                        room::measure,
                        core.index().shards().stream().map(Limited::new).toList(),
                        this::pruneOldest,
                        System::nanoTime);
        this.loop = new PeriodicWork("index-quota", LOOK_EVERY, this::look);
    }

    /** A shard as the keeper of the quota sees it. */
    private record Limited(IndexShardClient shard) implements QuotaKeeper.Shard {
        @Override
        public long entries() {
            return shard.statistics().entries();
        }

        @Override
        public OptionalLong limit() {
            IndexStatistics statistics = shard.statistics();
            return statistics.entryLimit() < 0
                    ? OptionalLong.empty()
                    : OptionalLong.of(statistics.entryLimit());
        }

        @Override
        public void limit(OptionalLong entries) {
            LOG.info(
                    "{} may have {} entries",
                    shard.id(),
                    entries.isPresent() ? entries.getAsLong() : "any number of");
            shard.setEntryLimit(entries);
        }
    }

    void start() {
        loop.start();
    }

    private boolean look() {
        if (work.isRebuilding()) {
            goOnRebuilding();
            return false;
        }
        return keeper.step();
    }

    /** What was begun before a restart, or failed, is taken up again. */
    private void goOnRebuilding() {
        long now = System.nanoTime();
        if (now < nextRebuildNanos) {
            return;
        }
        try {
            nextRebuildNanos = now + REBUILD_AGAIN.toNanos();
            Job job = work.rebuild("start");
            LOG.info("rebuilding the index from manifests, job {}", job.id());
        } catch (JobException e) {
            LOG.debug("no rebuild now", e);
        }
    }

    private long pruneOldest(long entries) {
        try {
            Job job = work.prune("quota", new PruneChoice.Entries(entries), false);
            automaticRuns.incrementAndGet();
            while (!job.await(Duration.ofMinutes(1).toMillis())) {
                LOG.debug("the prune for the quota goes on");
            }
            long gone = job.state().result() instanceof PruneReport report ? report.pruned() : 0;
            automaticEntries.addAndGet(gone);
            LOG.info("pruned {} of {} entries for the quota", gone, entries);
            return gone;
        } catch (JobException e) {
            // Somebody prunes already, which may be enough: the next look tells.
            LOG.debug("no prune for the quota now", e);
            return entries;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return entries;
        }
    }

    IndexQuota quota() {
        return core.control()
                .setting(QUOTA_SETTING)
                .map(IndexQuota::parse)
                .orElse(new IndexQuota.Auto());
    }

    /** Kept, and told to the shards, on return. */
    void setQuota(IndexQuota quota) {
        core.control().putSetting(QUOTA_SETTING, quota.text());
        keeper.apply();
        loop.wake();
    }

    IndexLimit limit() {
        return keeper.limit();
    }

    long automaticRuns() {
        return automaticRuns.get();
    }

    long automaticEntries() {
        return automaticEntries.get();
    }

    IndexRoom room() {
        return room;
    }

    Jobs jobs() {
        return jobs;
    }

    IndexJobs work() {
        return work;
    }

    @Override
    public void close() {
        // First, because the loop may be waiting for one.
        jobs.close();
        loop.close();
    }
}
