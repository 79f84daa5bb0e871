package io.dedupstore.bench.fingerprint;

import io.dedupstore.core.fingerprint.DigestAlgorithm;
import io.dedupstore.core.fingerprint.HashDriver;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.fingerprint.HashSettings;
import io.dedupstore.core.fingerprint.HashStatistics;
import io.dedupstore.core.fingerprint.RunningDigest;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** How long callers wait, on virtual threads as in the server. */
final class LatencySection {
    private static final int LONE_JOBS = 4000;
    private static final int MEETINGS = 400;
    private static final int CALLERS = 32;
    private static final int JOBS_EACH = 400;

    private final Findings findings;

    LatencySection(Findings findings) {
        this.findings = findings;
    }

    /** A lone job of 64 KiB, by this engine and by one of the JDK alone, by turns. */
    void lone() throws ExecutionException, InterruptedException {
        List<ByteBuffer> job = List.of(ByteBuffer.allocateDirect(64 << 10));
        try (HashEngine engine = engine(HashDriver.AUTO, 1);
                HashEngine jdk = engine(HashDriver.JDK, 1)) {
            long[][] nanos = new long[2][LONE_JOBS];
            onVirtualThread(
                    () -> {
                        for (int i = -LONE_JOBS / 2; i < LONE_JOBS; i++) {
                            long first = nanos(() -> engine.sha256(job));
                            long second = nanos(() -> jdk.sha256(job));
                            if (i >= 0) {
                                nanos[0][i] = first;
                                nanos[1][i] = second;
                            }
                        }
                    });
            Findings.Table rows =
                    findings.table(
                            "a lone job of 64 KiB, microseconds", List.of("engine", "p50", "p99"));
            rows.row("auto", List.of(micros(nanos[0], 0.5), micros(nanos[0], 0.99)));
            rows.row("jdk", List.of(micros(nanos[1], 0.5), micros(nanos[1], 0.99)));
            findings.atMost(
                    "p50 of a lone job, percent of the JDK's",
                    100 * micros(nanos[0], 0.5) / micros(nanos[1], 0.5),
                    105);
            findings.atMost(
                    "p99 of a lone job, percent of the JDK's",
                    100 * micros(nanos[0], 0.99) / micros(nanos[1], 0.99),
                    105);
        }
    }

    /** 4 KiB that come while 1 MiB is run by the only primary. */
    void meeting() throws ExecutionException, InterruptedException {
        List<ByteBuffer> small = List.of(ByteBuffer.allocateDirect(4 << 10));
        ByteBuffer large = ByteBuffer.allocateDirect(1 << 20);
        ByteBuffer segment = ByteBuffer.allocateDirect(64 << 10);
        long[] alone = new long[MEETINGS];
        long[] beside = new long[MEETINGS];
        long[] segments = new long[MEETINGS];
        try (HashEngine engine = engine(HashDriver.AUTO, 1);
                ExecutorService other = Executors.newVirtualThreadPerTaskExecutor()) {
            RunningDigest stream = engine.start(DigestAlgorithm.SHA256);
            onVirtualThread(
                    () -> {
                        for (int i = 0; i < MEETINGS; i++) {
                            segments[i] = nanos(() -> engine.update(segment, List.of(stream)));
                            alone[i] = nanos(() -> engine.sha256(small));
                            long begun = begun(engine);
                            Future<?> running =
                                    other.submit(() -> engine.update(large, List.of(stream)));
                            while (begun(engine) == begun && !running.isDone()) {
                                Thread.yield();
                            }
                            beside[i] = nanos(() -> engine.sha256(small));
                            get(running);
                        }
                    });
        }
        Findings.Table rows =
                findings.table(
                        "1 MiB runs when 4 KiB come, microseconds", List.of("", "p50", "p99"));
        rows.row("4 KiB alone", List.of(micros(alone, 0.5), micros(alone, 0.99)));
        rows.row("4 KiB then", List.of(micros(beside, 0.5), micros(beside, 0.99)));
        rows.row("segment", List.of(micros(segments, 0.5), micros(segments, 0.99)));
        findings.atMost(
                "wait of 4 KiB behind 1 MiB (p50), percent of a segment",
                100 * (micros(beside, 0.5) - micros(alone, 0.5)) / micros(segments, 0.5),
                100);
    }

    private static long begun(HashEngine engine) {
        return engine.statistics().queues().stream().mapToLong(HashStatistics.Queue::jobs).sum();
    }

    /** Latency against CPU by the number of primaries. */
    void sweep() throws ExecutionException, InterruptedException {
        Findings.Table rows =
                findings.table(
                        CALLERS + " callers of 64 KiB each, by primaries",
                        List.of("M", "GB/s", "CPU s/GB", "fill %", "p50 us", "p99 us"));
        try (HashEngine warm = engine(HashDriver.AUTO, 1)) {
            load(warm, new long[CALLERS * JOBS_EACH]);
        }
        for (int primaries : new int[] {1, 2, 4}) {
            try (HashEngine engine = engine(HashDriver.AUTO, primaries)) {
                load(engine, new long[CALLERS * JOBS_EACH]);
                long[] nanos = new long[CALLERS * JOBS_EACH];
                long cpu = cpuNanos();
                long start = System.nanoTime();
                load(engine, nanos);
                double seconds = (System.nanoTime() - start) / 1e9;
                double gigabytes = nanos.length * (double) (64 << 10) / 1e9;
                double fill =
                        engine.statistics().queues().stream()
                                .filter(queue -> queue.name().equals("SHA-256"))
                                .mapToDouble(queue -> 100 * queue.laneFill())
                                .sum();
                rows.row(
                        Integer.toString(primaries),
                        List.of(
                                gigabytes / seconds,
                                (cpuNanos() - cpu) / 1e9 / gigabytes,
                                fill,
                                micros(nanos, 0.5),
                                micros(nanos, 0.99)));
            }
        }
    }

    private static void load(HashEngine engine, long[] nanos)
            throws ExecutionException, InterruptedException {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int c = 0; c < CALLERS; c++) {
                int from = c * JOBS_EACH;
                all.add(
                        callers.submit(
                                () -> {
                                    List<ByteBuffer> job =
                                            List.of(ByteBuffer.allocateDirect(64 << 10));
                                    for (int i = from; i < from + JOBS_EACH; i++) {
                                        nanos[i] = nanos(() -> engine.sha256(job));
                                    }
                                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
    }

    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                .getProcessCpuTime();
    }

    private static HashEngine engine(HashDriver driver, int primaries) throws InterruptedException {
        HashEngine engine = HashEngine.start(new HashSettings(driver, primaries));
        engine.awaitCalibration();
        return engine;
    }

    private static void onVirtualThread(Runnable work)
            throws ExecutionException, InterruptedException {
        try (ExecutorService one = Executors.newVirtualThreadPerTaskExecutor()) {
            one.submit(work).get();
        }
    }

    private static void get(Future<?> running) {
        try {
            running.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long nanos(Runnable work) {
        long start = System.nanoTime();
        work.run();
        return System.nanoTime() - start;
    }

    private static double micros(long[] nanos, double quantile) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted[(int) (quantile * (sorted.length - 1))] / 1e3;
    }
}
