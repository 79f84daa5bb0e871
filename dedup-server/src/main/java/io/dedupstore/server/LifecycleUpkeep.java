package io.dedupstore.server;

import io.dedupstore.core.model.V;
import io.dedupstore.server.cluster.PeriodicWork;
import io.dedupstore.server.config.MaintenanceConfig;
import io.dedupstore.server.metrics.MetricRegistry;
import io.dedupstore.server.s3.lifecycle.ExpiryDates;
import io.dedupstore.server.s3.lifecycle.LifecycleStatus;
import io.dedupstore.server.s3.lifecycle.LifecycleWorker;
import io.dedupstore.server.s3.operation.Operations;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** Life-cycle rules, carried out four times a day, on a thread of their own. */
final class LifecycleUpkeep implements AutoCloseable {
    private static final int RUNS_A_DAY = 4;
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(250);

    private final LifecycleWorker worker;
    private final PeriodicWork loop;

    LifecycleUpkeep(
            MaintenanceConfig config, NodeCore core, Supplier<V> attempts, InstantSource clock) {
        this.worker =
                new LifecycleWorker(
                        core.control(),
                        core.metadata(),
                        attempts,
                        bucket -> Operations.versioningOf(core.control(), bucket),
                        clock,
                        new ExpiryDates(config.lifecycleDay()),
                        config.lifecycleRate());
        Duration pause = config.lifecycleDay().dividedBy(RUNS_A_DAY);
        this.loop =
                new PeriodicWork(
                        "lifecycle",
                        pause.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : pause,
                        worker::step);
    }

    void start() {
        loop.start();
    }

    void register(MetricRegistry metrics) {
        counter(
                metrics,
                "runs",
                "Runs of life-cycle rules over all buckets.",
                LifecycleStatus::runs);
        counter(
                metrics,
                "looked_versions",
                "Versions that life-cycle rules were held against.",
                LifecycleStatus::looked);
        counter(
                metrics,
                "expired_objects",
                "Current objects deleted by life-cycle rules.",
                LifecycleStatus::expired);
        counter(
                metrics,
                "removed_versions",
                "Noncurrent versions removed by life-cycle rules.",
                LifecycleStatus::removed);
        counter(
                metrics,
                "removed_markers",
                "Delete markers removed by life-cycle rules.",
                LifecycleStatus::tidied);
        counter(
                metrics,
                "aborted_uploads",
                "Uploads aborted by life-cycle rules.",
                LifecycleStatus::aborted);
        counter(
                metrics,
                "locked_versions",
                "Times that a lock kept a version from a life-cycle rule.",
                LifecycleStatus::locked);
        counter(
                metrics,
                "failures",
                "Actions of life-cycle rules that failed.",
                LifecycleStatus::failed);
    }

    private void counter(
            MetricRegistry metrics,
            String name,
            String help,
            ToLongFunction<LifecycleStatus> value) {
        metrics.counter(
                "dedup_lifecycle_" + name + "_total",
                help,
                () -> value.applyAsLong(worker.status()));
    }

    /** Lets actions that run end. */
    @Override
    public void close() {
        worker.close();
        loop.close();
    }
}
