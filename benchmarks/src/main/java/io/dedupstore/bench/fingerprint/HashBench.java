package io.dedupstore.bench.fingerprint;

import io.dedupstore.core.fingerprint.HashDriver;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.fingerprint.HashPlan;
import io.dedupstore.core.fingerprint.HashSettings;
import io.dedupstore.core.jni.NativeDigest;
import io.dedupstore.core.jni.NativeLibrary;
import io.dedupstore.core.jni.NativeSha256;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/**
 * {@code dedup bench hash}: what drivers and the engine make of one processor. A machine that does
 * something else meanwhile gives other figures; ratios within one run suffer least. Where the
 * native kernels are not in use it measures nothing and fails.
 */
public final class HashBench {
    private static final String USAGE =
            """
            Usage: dedup bench hash [OPTIONS]

              --only A,B     of single, curve, mixed, latency (default: all)
              --millis N     for each figure (default 60)
              --json FILE    where the figures go (default hash-bench.json)
            """;
    private static final int HMAC_DIGESTS = 512;

    private final Set<String> only;
    private final Clock clock;
    private final Findings findings = new Findings();

    private HashBench(Set<String> only, long millis) {
        this.only = only;
        this.clock = new Clock(millis);
    }

    public static void main(String[] arguments) throws Exception {
        List<String> left = new ArrayList<>(List.of(arguments));
        Set<String> only = Set.of("single", "curve", "mixed", "latency");
        long millis = 60;
        Path json = Path.of("hash-bench.json");
        while (!left.isEmpty()) {
            String name = left.removeFirst();
            String value = left.isEmpty() ? "" : left.removeFirst();
            switch (name) {
                case "--only" -> only = Set.of(value.split(","));
                case "--millis" -> millis = Long.parseLong(value);
                case "--json" -> json = Path.of(value);
                default -> {
                    System.out.print(USAGE);
                    System.exit(name.equals("-h") || name.equals("--help") ? 0 : 2);
                }
            }
        }
        new HashBench(only, millis).run(json);
    }

    private void run(Path json) throws IOException, ExecutionException, InterruptedException {
        try (HashEngine engine = HashEngine.start(new HashSettings(HashDriver.AUTO, 1))) {
            engine.awaitCalibration();
            requireKernels(engine);
            findings.setting(
                    "machine",
                    "%d processors, Java %s"
                            .formatted(
                                    Runtime.getRuntime().availableProcessors(),
                                    System.getProperty("java.version")));
            for (HashPlan.Algorithm plan : engine.plan().algorithms()) {
                findings.setting("driver of " + plan.algorithm(), plan.driver());
            }
            if (only.contains("single")) {
                new DriverSection(NativeDigest.SHA256, clock).singles(findings);
                new DriverSection(NativeDigest.MD5, clock).singles(findings);
            }
            CurveSection curve = new CurveSection(engine, clock, findings);
            if (only.contains("curve")) {
                for (int kib : new int[] {4, 16, 64, 128}) {
                    curve.sha256(kib);
                }
                curve.md5(64);
                hmac();
            }
            if (only.contains("mixed")) {
                curve.mixed();
            }
            requireKernels(engine);
        }
        if (only.contains("latency")) {
            LatencySection latency = new LatencySection(findings);
            latency.lone();
            latency.meeting();
            latency.sweep();
        }
        findings.write(json);
    }

    private void hmac() {
        NativeSha256.Table table = new NativeSha256.Table();
        byte[] digests = new byte[HMAC_DIGESTS * NativeSha256.LENGTH];
        int[] midstates = new int[16];
        double seconds =
                clock.seconds(() -> table.hmacSha256(midstates, digests, digests, 0, HMAC_DIGESTS));
        System.out.println();
        findings.atMost("HMAC of a digest in batches, ns", seconds * 1e9 / HMAC_DIGESTS, 35);
    }

    /** A fallback must not be taken for a result. */
    private static void requireKernels(HashEngine engine) {
        boolean fallen =
                engine.plan().algorithms().stream().anyMatch(plan -> !plan.usesNative())
                        || engine.statistics().queues().stream()
                                .anyMatch(
                                        queue -> queue.name().equals("alone") && queue.jobs() > 0);
        if (fallen) {
            System.err.println(
                    "the native kernels are not in use: "
                            + NativeLibrary.problem().orElse("this processor has none"));
            System.exit(1);
        }
    }
}
