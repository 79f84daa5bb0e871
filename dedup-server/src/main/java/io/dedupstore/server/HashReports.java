package io.dedupstore.server;

import io.dedupstore.client.admin.HashReport;
import io.dedupstore.core.fingerprint.DigestAlgorithm;
import io.dedupstore.core.fingerprint.HashDriver;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.fingerprint.HashPlan;
import io.dedupstore.core.fingerprint.HashStatistics;
import io.dedupstore.core.jni.NativeLibrary;
import io.dedupstore.server.metrics.MetricRegistry;
import io.dedupstore.server.metrics.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What the hashing engine does, for the admin API and for {@code /metrics}. */
final class HashReports {
    private HashReports() {}

    static HashReport report(HashDriver setting, HashEngine engine) {
        HashPlan plan = engine.plan();
        HashStatistics statistics = engine.statistics();
        List<HashReport.Algorithm> algorithms = new ArrayList<>();
        plan.algorithms().forEach(algorithm -> algorithms.add(algorithm(algorithm)));
        String sha256 = plan.algorithms().getFirst().driver();
        algorithms.add(single("HMAC-SHA-256", sha256, "fingerprints"));
        algorithms.add(single("SHA-1", "jdk", "checksums"));
        algorithms.add(single("S2 gear", NativeLibrary.gearDriver(), "chunking"));
        algorithms.add(single("CRC-64/NVME", NativeLibrary.crc64Driver(), "checksums"));
        algorithms.add(single("CRC-32, CRC-32C", "jdk", "checksums"));
        return new HashReport(
                sha256,
                NativeLibrary.problem().orElse("loaded"),
                setting.name().toLowerCase(Locale.ROOT),
                plan.calibrated(),
                statistics.primaries(),
                algorithms,
                statistics.queues().stream().map(HashReports::queue).toList());
    }

    private static HashReport.Algorithm single(String name, String driver, String use) {
        return new HashReport.Algorithm(name, driver, use, 1, List.of());
    }

    private static HashReport.Algorithm algorithm(HashPlan.Algorithm plan) {
        List<HashReport.Step> steps = new ArrayList<>();
        for (HashPlan.Step step : plan.usesNative() ? plan.steps() : List.<HashPlan.Step>of()) {
            steps.add(
                    new HashReport.Step(
                            steps.size() + 1,
                            plan.nativeDrivers().get(step.driver()),
                            step.rows(),
                            Math.round(step.rate())));
        }
        return new HashReport.Algorithm(
                plan.algorithm() == DigestAlgorithm.MD5 ? "MD5" : "SHA-256",
                plan.driver(),
                plan.algorithm() == DigestAlgorithm.MD5
                        ? "ETags"
                        : "chunk fingerprints, payloads, checksums",
                plan.usesNative() ? plan.lanes() : 1,
                steps);
    }

    private static HashReport.Queue queue(HashStatistics.Queue queue) {
        return new HashReport.Queue(
                queue.name(),
                queue.waiting(),
                queue.putOff(),
                queue.jobs(),
                queue.bytes(),
                queue.calls(),
                queue.busySeconds(),
                queue.laneFill(),
                queue.jobs() == 0 ? 0 : queue.waitSeconds() / queue.jobs(),
                queue.waitMedianSeconds(),
                queue.waitP99Seconds());
    }

    static void register(MetricRegistry metrics, HashEngine engine) {
        metrics.gauge(
                "dedup_hash_primaries",
                "Threads that hash.",
                () -> engine.statistics().primaries());
        metrics.gauges(
                "dedup_hash_waiting_jobs",
                "Digest jobs that somebody waits for.",
                () -> samples(engine, HashStatistics.Queue::waiting));
        metrics.gauges(
                "dedup_hash_put_off_jobs",
                "Digest jobs that wait to fill lanes.",
                () -> samples(engine, HashStatistics.Queue::putOff));
        metrics.gauges(
                "dedup_hash_lane_fill_ratio",
                "Mean share of lanes that had a job when a call began, since the start.",
                () -> samples(engine, HashStatistics.Queue::laneFill));
        counter(metrics, engine, "jobs_total", "Digest jobs begun.", HashStatistics.Queue::jobs);
        counter(metrics, engine, "bytes_total", "Bytes hashed.", HashStatistics.Queue::bytes);
        counter(metrics, engine, "calls_total", "Calls of kernels.", HashStatistics.Queue::calls);
        counter(
                metrics,
                engine,
                "busy_seconds_total",
                "Time of all primary threads in kernels.",
                HashStatistics.Queue::busySeconds);
        counter(
                metrics,
                engine,
                "queue_seconds_total",
                "Time that digest jobs were waited for before they began.",
                HashStatistics.Queue::waitSeconds);
        metrics.gauges(
                "dedup_hash_driver_info",
                "1 for the driver in use of each algorithm.",
                () ->
                        engine.plan().algorithms().stream()
                                .map(
                                        plan ->
                                                Sample.of(
                                                        1,
                                                        new Sample.Label(
                                                                "algorithm",
                                                                plan.algorithm().name()),
                                                        new Sample.Label("driver", plan.driver())))
                                .toList());
    }

    private static void counter(
            MetricRegistry metrics,
            HashEngine engine,
            String name,
            String help,
            ToDoubleFunction<HashStatistics.Queue> value) {
        metrics.counters("dedup_hash_" + name, help, () -> samples(engine, value));
    }

    private static List<Sample> samples(
            HashEngine engine, ToDoubleFunction<HashStatistics.Queue> value) {
        return engine.statistics().queues().stream()
                .map(
                        queue ->
                                Sample.of(
                                        value.applyAsDouble(queue),
                                        new Sample.Label("queue", queue.name())))
                .toList();
    }
}
