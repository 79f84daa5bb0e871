package io.dedupstore.bench.fingerprint;

import io.dedupstore.core.fingerprint.DigestAlgorithm;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.fingerprint.HashStatistics;
import io.dedupstore.core.fingerprint.RunningDigest;
import io.dedupstore.core.jni.NativeDigest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** The curve of 2016: GB/s by the number of jobs that are there at once. */
final class CurveSection {
    private static final int[] JOBS = {
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 20, 24, 28, 32
    };
    private static final int KIB_OF_TARGETS = 64;
    private static final int ROUNDS = 201;

    /** Of ISA-L crypto on the machine of the targets, where the JDK has 2.0 GB/s. */
    private static final Map<Integer, Double> ISAL =
            new TreeMap<>(
                    Map.of(
                            1, 1.75, 6, 1.75, 7, 1.96, 8, 2.23, 9, 2.50, 10, 2.76, 12, 3.28, 14,
                            3.80, 16, 4.35));

    private static final double JDK_OF_TARGETS = 2.0;

    private final HashEngine engine;
    private final Clock clock;
    private final Findings findings;

    CurveSection(HashEngine engine, Clock clock, Findings findings) {
        this.engine = engine;
        this.clock = clock;
        this.findings = findings;
    }

    void sha256(int kib) {
        DriverSection bare = new DriverSection(NativeDigest.SHA256, clock);
        double jdk = bare.jdkRate(kib << 10);
        Map<Integer, Double> of = new TreeMap<>();
        Map<Integer, Double> ofBare = new TreeMap<>();
        Findings.Table rows =
                findings.table(
                        "SHA-256, jobs of " + kib + " KiB, GB/s", columns(NativeDigest.SHA256));
        for (int jobs : JOBS) {
            ByteBuffer[] buffers = DriverSection.buffers(jobs, kib << 10);
            List<ByteBuffer> list = List.of(buffers);
            List<Double> rates = new ArrayList<>(List.of(jdk));
            rates.add(clock.rate((long) jobs * (kib << 10), () -> engine.sha256(list)));
            double scheduled = inPrimary(() -> engine.sha256(list));
            rates.add(scheduled);
            for (int driver = 0; driver < NativeDigest.SHA256.drivers().size(); driver++) {
                rates.add(bare.rate(driver, buffers));
            }
            of.put(jobs, scheduled);
            ofBare.put(jobs, rates.get(3));
            rows.row(Integer.toString(jobs), rates);
        }
        if (kib == KIB_OF_TARGETS) {
            judge(of, ofBare, jdk);
        }
    }

    private void judge(Map<Integer, Double> of, Map<Integer, Double> ofBare, double jdk) {
        ISAL.forEach(
                (jobs, rate) ->
                        findings.atLeast(
                                jobs + " jobs against ISA-L's share of the JDK",
                                at(of, jobs) / jdk,
                                rate / JDK_OF_TARGETS));
        findings.atLeast("2 jobs, times the JDK", at(of, 2) / jdk, 1.15);
        findings.atLeast("5 jobs, times the JDK", at(of, 5) / jdk, 1.15);
        findings.atLeast("8 jobs, times the JDK", at(of, 8) / jdk, 1.55);
        findings.atLeast("16 jobs, times the JDK", at(of, 16) / jdk, 2.1);
        double worst = of.values().stream().mapToDouble(rate -> rate / jdk).min().orElse(0);
        findings.atLeast("the worst number of jobs, times the JDK", worst, 1);
        findings.atMost(
                "loss against the bare kernel at 16 jobs, percent",
                100 * (1 - at(of, 16) / at(ofBare, 16)),
                3);
    }

    private static double at(Map<Integer, Double> rates, int jobs) {
        Double rate = rates.get(jobs);
        if (rate == null) {
            throw new IllegalStateException("nothing measured with " + jobs + " jobs");
        }
        return rate;
    }

    private static List<String> columns(NativeDigest hash) {
        List<String> columns = new ArrayList<>(List.of("jobs", "jdk", "call", "engine"));
        columns.addAll(hash.drivers());
        return columns;
    }

    void md5(int kib) {
        DriverSection bare = new DriverSection(NativeDigest.MD5, clock);
        double jdk = bare.jdkRate(kib << 10);
        Findings.Table rows =
                findings.table("MD5, jobs of " + kib + " KiB, GB/s", columns(NativeDigest.MD5));
        double last = 0;
        for (int jobs : new int[] {1, 2, 4, 8, 16, 32}) {
            ByteBuffer[] buffers = DriverSection.buffers(jobs, kib << 10);
            List<Double> rates = new ArrayList<>(List.of(jdk));
            rates.add(clock.rate((long) jobs * (kib << 10), () -> md5(buffers)));
            last = inPrimary(() -> md5(buffers));
            rates.add(last);
            for (int driver = 0; driver < NativeDigest.MD5.drivers().size(); driver++) {
                rates.add(bare.rate(driver, buffers));
            }
            rows.row(Integer.toString(jobs), rates);
        }
        findings.atLeast("MD5, 32 jobs, times the JDK", last / jdk, 14.4);
    }

    private void md5(ByteBuffer[] buffers) {
        List<HashEngine.Pending> pending = new ArrayList<>();
        for (ByteBuffer buffer : buffers) {
            RunningDigest md5 = engine.start(DigestAlgorithm.MD5);
            pending.add(engine.updateLater(buffer, List.of(md5)));
        }
        pending.forEach(HashEngine.Pending::settle);
    }

    /**
     * What a primary makes of it, from taking jobs to having their digests: without the way to its
     * thread and back, which costs the same with every driver and a core nothing. The best of many,
     * as for the others.
     */
    private double inPrimary(Runnable run) {
        double best = 0;
        for (int i = 0; i < ROUNDS; i++) {
            HashStatistics before = engine.statistics();
            run.run();
            HashStatistics after = engine.statistics();
            double seconds = busy(after) - busy(before);
            best = Math.max(best, (bytes(after) - bytes(before)) / seconds / 1e9);
        }
        return best;
    }

    private static double busy(HashStatistics statistics) {
        return statistics.queues().stream().mapToDouble(HashStatistics.Queue::busySeconds).sum();
    }

    private static long bytes(HashStatistics statistics) {
        return statistics.queues().stream().mapToLong(HashStatistics.Queue::bytes).sum();
    }

    /** Lengths as a chunker of 64 KiB average gives them, and 4 KiB beside 128 KiB. */
    void mixed() {
        double jdk = new DriverSection(NativeDigest.SHA256, clock).jdkRate(64 << 10);
        Findings.Table rows =
                findings.table(
                        "SHA-256, mixed lengths, GB/s", List.of("jobs", "jdk", "call", "engine"));
        SplittableRandom random = new SplittableRandom(1);
        for (int jobs : new int[] {3, 12, 24, 50, 100}) {
            List<ByteBuffer> chunks = new ArrayList<>();
            long bytes = 0;
            for (int i = 0; i < jobs; i++) {
                int length = (int) ((73 + 22 * random.nextGaussian()) * 1024);
                length = Math.clamp(length, 16 << 10, 256 << 10);
                bytes += length;
                chunks.add(ByteBuffer.allocateDirect(length));
            }
            double call = clock.rate(bytes, () -> engine.sha256(chunks));
            double rate = inPrimary(() -> engine.sha256(chunks));
            rows.row(Integer.toString(jobs), List.of(jdk, call, rate));
            if (jobs == 12) {
                findings.atLeast("12 chunks of mixed lengths, times the JDK", rate / jdk, 1.35);
            } else if (jobs == 50) {
                findings.atLeast("50 chunks of mixed lengths, times the JDK", rate / jdk, 2);
            }
        }
        twoLengths();
    }

    private void twoLengths() {
        List<ByteBuffer> small = Arrays.asList(DriverSection.buffers(32, 4 << 10));
        List<ByteBuffer> large = Arrays.asList(DriverSection.buffers(32, 128 << 10));
        List<ByteBuffer> both = new ArrayList<>();
        for (int i = 0; i < small.size(); i++) {
            both.add(small.get(i));
            both.add(large.get(i));
        }
        double apart =
                clock.seconds(() -> engine.sha256(small))
                        + clock.seconds(() -> engine.sha256(large));
        double together = clock.seconds(() -> engine.sha256(both));
        findings.atLeast(
                "32 of 4 KiB beside 32 of 128 KiB, percent of the uniform rate",
                100 * apart / together,
                90);
    }
}
