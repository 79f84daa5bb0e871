package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.NewBucket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Writers with keys of their own, whose server is killed under them, and what must hold after: what
 * was acknowledged reads back identical; what was not is either wholly there or not at all; no key
 * shows up that nobody wrote.
 */
final class CrashLoad {
    /** Chunks by content in one, by length in the other. */
    private static final List<String> BUCKETS = List.of("crash", "crash-fixed");

    private final List<CrashWriter> writers = new ArrayList<>();

    /** The moment at which the server is killed. */
    interface Moment {
        void await() throws IOException, InterruptedException;
    }

    CrashLoad(int writers, long seed) {
        for (int i = 0; i < writers; i++) {
            this.writers.add(new CrashWriter(i, BUCKETS.get(i % BUCKETS.size()), seed));
        }
    }

    void createBuckets(AdminClient admin) {
        admin.createBucket(new NewBucket(BUCKETS.get(0), "cdc:16k", "off"));
        admin.createBucket(new NewBucket(BUCKETS.get(1), "fixed:16k", "off"));
    }

    /** Operations that were acknowledged. */
    Map<CrashWriter.Kind, Long> acknowledged() {
        Map<CrashWriter.Kind, Long> all = new EnumMap<>(CrashWriter.Kind.class);
        writers.forEach(
                writer ->
                        writer.acknowledged().forEach((kind, n) -> all.merge(kind, n, Long::sum)));
        return all;
    }

    /**
     * Writes, and kills the server when the moment has come.
     *
     * @param beside runs beside the writers until the server is gone
     */
    void writeAndKill(ServerProcess server, Runnable beside, Moment moment, String when)
            throws IOException, InterruptedException {
        AtomicBoolean killing = new AtomicBoolean();
        try (S3Client s3 = S3Clients.withoutRetries(server);
                ExecutorService threads = Executors.newFixedThreadPool(writers.size() + 1)) {
            List<Future<?>> running = new ArrayList<>();
            running.add(threads.submit(beside));
            for (CrashWriter writer : writers) {
                running.add(threads.submit(() -> write(writer, s3, killing, when)));
            }
            try {
                moment.await();
                assertThat(server.isAlive()).as("nobody but the test ends the server").isTrue();
            } finally {
                killing.set(true);
                server.kill9();
            }
            for (Future<?> each : running) {
                await(each);
            }
        }
    }

    private static void write(CrashWriter writer, S3Client s3, AtomicBoolean killing, String when) {
        RuntimeException end = writer.writeUntilItFails(s3);
        if (!killing.get()) {
            throw new AssertionError(when + ": failed before the kill", end);
        }
    }

    private static void await(Future<?> task) throws InterruptedException {
        try {
            task.get();
        } catch (ExecutionException e) {
            throw new AssertionError("it failed beside the kill", e.getCause());
        }
    }

    void verify(ServerProcess server, String when) throws IOException {
        Set<String> listed = new HashSet<>();
        Set<String> seen = new HashSet<>();
        try (S3Client s3 = S3Clients.of(server)) {
            for (String bucket : BUCKETS) {
                s3.listObjectsV2Paginator(b -> b.bucket(bucket)).contents().stream()
                        .map(S3Object::key)
                        .forEach(listed::add);
            }
            for (CrashWriter writer : writers) {
                Ledger ledger = writer.ledger();
                for (String key : ledger.keys()) {
                    Optional<String> content = read(s3, writer.bucket(), key);
                    assertThat(ledger.allowed(key)).as("%s, %s", when, key).contains(content);
                    ledger.settle(key, content);
                    content.ifPresent(hash -> seen.add(key));
                }
            }
        }
        assertThat(listed).as("%s, listing", when).isEqualTo(seen);
    }

    private static Optional<String> read(S3Client s3, String bucket, String key)
            throws IOException {
        try {
            return Optional.of(TestFiles.sha256(s3.getObject(b -> b.bucket(bucket).key(key))));
        } catch (NoSuchKeyException e) {
            return Optional.empty();
        }
    }
}
