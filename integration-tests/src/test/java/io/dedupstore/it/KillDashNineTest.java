package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Kills the server at random moments under eight writers. What was acknowledged reads back
 * identical; what was not is either wholly there or not at all; no key shows up that nobody wrote.
 */
class KillDashNineTest {
    private static final int WRITERS = 8;
    private static final int MIN_MILLIS = 300;
    private static final int MAX_MILLIS = 3_000;
    private static final String BUCKET = "crash";

    @Test
    void whatWasAcknowledgedSurvivesEveryKill() throws IOException, InterruptedException {
        int rounds = LongRun.choose(3, 50);
        long seed = Long.getLong("dedup.test.seed", System.nanoTime());
        Random random = new Random(seed);
        List<CrashWriter> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            writers.add(new CrashWriter(i, seed));
        }
        long operations = 0;
        try (ServerProcess server =
                ServerProcess.start(
                        "crash", "--freed-slot-grace", "1s", "--container-size", "16MiB")) {
            try (S3Client s3 = S3Clients.of(server)) {
                s3.createBucket(b -> b.bucket(BUCKET));
            }
            for (int round = 1; round <= rounds; round++) {
                operations += writeAndKill(server, writers, random);
                server.restart();
                verify(server, writers, "seed " + seed + ", round " + round);
            }
        }
        System.getLogger("crash")
                .log(
                        System.Logger.Level.INFO,
                        "%d kills, %d acknowledged operations, seed %d"
                                .formatted(rounds, operations, seed));
        assertThat(operations).isGreaterThan(rounds);
    }

    private static long writeAndKill(ServerProcess server, List<CrashWriter> writers, Random random)
            throws IOException, InterruptedException {
        long operations = 0;
        try (S3Client s3 = S3Clients.withoutRetries(server);
                ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
            List<Future<Long>> running = new ArrayList<>();
            for (CrashWriter writer : writers) {
                running.add(threads.submit(() -> writer.writeUntilItFails(s3, BUCKET)));
            }
            TimeUnit.MILLISECONDS.sleep(random.nextInt(MIN_MILLIS, MAX_MILLIS));
            assertThat(server.isAlive()).as("nobody but the test ends the server").isTrue();
            server.kill9();
            for (Future<Long> writer : running) {
                operations += result(writer);
            }
        }
        return operations;
    }

    private static long result(Future<Long> writer) throws InterruptedException {
        try {
            return writer.get();
        } catch (ExecutionException e) {
            throw new AssertionError("a writer failed", e.getCause());
        }
    }

    private static void verify(ServerProcess server, List<CrashWriter> writers, String when)
            throws IOException {
        Set<String> listed = new HashSet<>();
        Set<String> seen = new HashSet<>();
        try (S3Client s3 = S3Clients.of(server)) {
            s3.listObjectsV2Paginator(b -> b.bucket(BUCKET)).contents().stream()
                    .map(S3Object::key)
                    .forEach(listed::add);
            for (CrashWriter writer : writers) {
                Ledger ledger = writer.ledger();
                for (String key : ledger.keys()) {
                    Optional<String> content = read(s3, key);
                    assertThat(ledger.allowed(key)).as("%s, %s", when, key).contains(content);
                    ledger.settle(key, content);
                    content.ifPresent(hash -> seen.add(key));
                }
            }
        }
        assertThat(listed).as("%s, listing", when).isEqualTo(seen);
    }

    private static Optional<String> read(S3Client s3, String key) throws IOException {
        try {
            return Optional.of(TestFiles.sha256(s3.getObject(b -> b.bucket(BUCKET).key(key))));
        } catch (NoSuchKeyException e) {
            return Optional.empty();
        }
    }
}
