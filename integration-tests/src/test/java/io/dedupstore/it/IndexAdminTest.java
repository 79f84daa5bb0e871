package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.AdminClientException;
import io.dedupstore.client.admin.IndexReport;
import io.dedupstore.client.admin.JobReport;
import io.dedupstore.client.admin.NewBucket;
import io.dedupstore.client.admin.PreloadReport;
import io.dedupstore.client.admin.PruneReport;
import io.dedupstore.client.admin.ShrinkReport;
import io.dedupstore.client.admin.UsageReport;
import io.dedupstore.client.admin.VerifyReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** What operators do to the fingerprint index, and what must hold meanwhile and after. */
class IndexAdminTest {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final int CHUNK = 64 << 10;
    private static final int WRITERS = 3;
    private static final int VERIFICATIONS = 12;
    private static final String BUCKET = "index";

    @Test
    void whatIsPrunedAndThenDeletedLeaksNothing() throws IOException {
        try (ServerProcess server = server("prune");
                S3Client s3 = S3Clients.of(server);
                AdminClient admin = server.admin()) {
            admin.createBucket(new NewBucket(BUCKET, "fixed:64k", "off"));
            put(s3, "once", 1, 40);
            put(s3, "shared", 2, 10);
            put(s3, "twin", 2, 10);
            IndexChecks.settle(admin);

            PruneReport plan = prune(admin, "percent", "50", true);
            assertThat(plan.planned()).isEqualTo(20);
            assertThat(plan.pruned()).isZero();
            assertThat(admin.index().entries().total()).isEqualTo(50);
            PruneReport pruned = prune(admin, "percent", "100", false);
            assertThat(pruned.pruned()).isEqualTo(40);
            assertThat(admin.index().entries().total()).isEqualTo(10);
            assertThat(admin.index().pruning().pruned()).isEqualTo(40);
            UsageReport usage = admin.stats().total();
            assertThat(usage.distinctChunkBytes())
                    .as("the ratio forgets nothing")
                    .isEqualTo(50L * CHUNK);
            VerifyReport verified = IndexChecks.verify(admin);
            assertThat(verified.differences()).isEmpty();
            assertThat(verified.pruned()).isEqualTo(40);
            assertThat(s3.getObjectAsBytes(b -> b.bucket(BUCKET).key("once")).asByteArray())
                    .isEqualTo(TestFiles.bytes(1, 40 * CHUNK));

            for (String key : List.of("once", "shared", "twin")) {
                s3.deleteObject(b -> b.bucket(BUCKET).key(key));
            }
            eventually("all is freed", () -> IndexChecks.verify(admin).slots() == 0);
            IndexReport empty = admin.index();
            assertThat(empty.entries().total()).isZero();
            assertThat(empty.pruning().pruned()).isZero();
            assertThat(empty.anomalies()).isZero();
            assertThat(empty.audit().balanced()).isTrue();
            assertThat(IndexChecks.verify(admin).differences()).isEmpty();
            eventually("no record lives", () -> admin.stats().storage().liveBytes() == 0);
            assertThat(admin.stats().total().distinctChunkBytes()).isZero();
        }
    }

    @Test
    void overTheQuotaNewChunksAreUnindexedAndKnownOnesStillDeduplicate() throws IOException {
        try (ServerProcess server = server("quota");
                S3Client s3 = S3Clients.of(server);
                AdminClient admin = server.admin()) {
            admin.createBucket(new NewBucket(BUCKET, "fixed:64k", "off"));
            put(s3, "a", 1, 20);
            put(s3, "b", 1, 20);
            IndexChecks.settle(admin);
            assertThat(admin.setIndexQuota("20 entries").over()).isTrue();

            put(s3, "new", 2, 10);
            put(s3, "c", 1, 20);
            put(s3, "new-again", 2, 10);
            IndexChecks.settle(admin);
            assertThat(admin.index().entries().total()).isEqualTo(20);
            VerifyReport verified = IndexChecks.verify(admin);
            assertThat(verified.differences()).isEmpty();
            assertThat(verified.unindexed()).isEqualTo(20);
            UsageReport usage = admin.stats().total();
            assertThat(usage.referencedChunkBytes()).isEqualTo(80L * CHUNK);
            assertThat(usage.distinctChunkBytes()).isEqualTo(40L * CHUNK);
            assertThat(usage.dedupRatio()).hasToString("2.00");

            assertThat(admin.setIndexQuota("none").over()).isFalse();
            put(s3, "newer", 3, 10);
            eventually(
                    "deduplicated after all",
                    () -> admin.metrics().contains("dedup_unindexed_bytes 0\n"));
            IndexChecks.settle(admin);
            assertThat(admin.index().entries().total()).isEqualTo(40);
            assertThat(admin.stats().total().distinctChunkBytes()).isEqualTo(40L * CHUNK);
            assertThat(admin.metrics())
                    .contains("dedup_rededuped_chunks_total 20\n")
                    .contains("dedup_rededuped_copied_bytes_total " + 10 * CHUNK + "\n");
            assertThat(IndexChecks.verify(admin).differences()).isEmpty();
            for (String key : List.of("new", "new-again")) {
                assertThat(s3.getObjectAsBytes(b -> b.bucket(BUCKET).key(key)).asByteArray())
                        .isEqualTo(TestFiles.bytes(2, 10 * CHUNK));
            }
            for (String key : List.of("a", "b", "c", "new", "new-again", "newer")) {
                s3.deleteObject(b -> b.bucket(BUCKET).key(key));
            }
            eventually("no record lives", () -> admin.stats().storage().liveBytes() == 0);
            assertThat(IndexChecks.verify(admin).slots()).isZero();
        }
    }

    @Test
    void nearTheQuotaTheOldestAreForgottenAndTheQuotaOutlivesARestart() throws IOException {
        try (ServerProcess server = server("automatic")) {
            try (S3Client s3 = S3Clients.of(server);
                    AdminClient admin = server.admin()) {
                admin.createBucket(new NewBucket(BUCKET, "fixed:64k", "off"));
                put(s3, "old", 1, 60);
                IndexChecks.settle(admin);
                admin.setIndexQuota("100 entries");
                put(s3, "young", 2, 38);
                eventually("pruned", () -> admin.index().pruning().automaticEntries() > 0);
                eventually("at 90 %", () -> admin.index().entries().total() == 90);
                assertThat(admin.metrics())
                        .contains("dedup_index_automatic_pruned_entries_total 8");
                assertThat(IndexChecks.verify(admin).differences()).isEmpty();
            }
            server.stop();
            server.restart();
            try (AdminClient admin = server.admin()) {
                assertThat(admin.indexQuota().quota()).isEqualTo("100 entries");
                assertThat(admin.indexQuota().entryLimit()).isEqualTo(100);
            }
        }
    }

    @Test
    void aStoreAtWorkVerifiesWithoutADifferenceAndALostContainerIsNamed() throws Exception {
        try (ServerProcess server = server("verify")) {
            try (S3Client s3 = S3Clients.of(server);
                    AdminClient admin = server.admin();
                    ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
                admin.createBucket(new NewBucket(BUCKET, "fixed:64k", "off"));
                AtomicBoolean stop = new AtomicBoolean();
                List<Future<Integer>> writers = new ArrayList<>();
                for (int i = 0; i < WRITERS; i++) {
                    long seed = i;
                    writers.add(threads.submit(() -> mixedWork(s3, seed, stop)));
                }
                for (int round = 0; round < VERIFICATIONS; round++) {
                    assertThat(IndexChecks.verify(admin).differences())
                            .as("round %d", round)
                            .isEmpty();
                    if (round == VERIFICATIONS / 2) {
                        prune(admin, "percent", "40", false);
                    }
                }
                stop.set(true);
                for (Future<Integer> writer : writers) {
                    assertThat(writer.get()).isPositive();
                }
                IndexChecks.settle(admin);
                VerifyReport quiet = IndexChecks.verify(admin);
                assertThat(quiet.differences()).isEmpty();
                assertThat(quiet.slots()).isPositive();
                assertThat(quiet.skippedContainers()).isZero();
            }
            server.stop();
            Files.delete(aContainer(server.data()));
            server.restart();
            try (AdminClient admin = server.admin()) {
                VerifyReport damaged = IndexChecks.verify(admin);
                assertThat(damaged.differenceCount()).isPositive();
                assertThat(damaged.differences())
                        .extracting(VerifyReport.Difference::kind)
                        .containsAnyOf("no-record", "no-container");
                assertThat(damaged.differences()).anyMatch(VerifyReport.Difference::lossy);
            }
        }
    }

    private static int mixedWork(S3Client s3, long seed, AtomicBoolean stop) {
        Random random = new Random(seed);
        int done = 0;
        while (!stop.get()) {
            String key = "mixed-" + random.nextInt(20);
            switch (random.nextInt(4)) {
                case 0 -> s3.deleteObject(b -> b.bucket(BUCKET).key(key));
                case 1 -> put(s3, key, 1_000 + random.nextInt(10), 1 + random.nextInt(20));
                default -> put(s3, key, random.nextLong(), 1 + random.nextInt(5));
            }
            done++;
        }
        return done;
    }

    private static Path aContainer(Path data) throws IOException {
        try (Stream<Path> files = Files.walk(data.resolve("drives"))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().contains("/containers/"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void shrinkingGivesTheSpaceOfDeletedEntriesBack() throws IOException {
        try (ServerProcess server = server("shrink");
                S3Client s3 = S3Clients.of(server);
                AdminClient admin = server.admin()) {
            admin.createBucket(new NewBucket(BUCKET, "fixed:4k", "off"));
            put(s3, "small", 1, 500);
            long entries = 500L * CHUNK / 4096;
            IndexChecks.settle(admin);
            // What is in memory only is written by the first one.
            IndexChecks.ended(admin, admin.shrinkIndex());
            IndexReport full = admin.index();
            assertThat(full.entries().total()).isEqualTo(entries);
            assertThat(full.disk().bytesPerEntry()).isBetween(50.0, 75.0);
            assertThat(full.memory().filterBytes()).isLessThan(3 * entries);
            PreloadReport all =
                    admin.result(
                            IndexChecks.ended(admin, admin.preloadIndex("all")),
                            PreloadReport.class);
            assertThat(all.read()).isGreaterThanOrEqualTo(full.disk().entryBytes());
            IndexChecks.ended(admin, admin.preloadIndex("filters"));

            s3.deleteObject(b -> b.bucket(BUCKET).key("small"));
            eventually("no entries", () -> admin.index().entries().total() == 0);
            ShrinkReport shrunk =
                    admin.result(IndexChecks.ended(admin, admin.shrinkIndex()), ShrinkReport.class);
            assertThat(shrunk.bytesBefore()).isGreaterThan(entries * 50);
            assertThat(shrunk.bytesAfter()).isLessThan(shrunk.bytesBefore() / 5);
            assertThat(admin.jobs().jobs()).allMatch(job -> job.state().equals(JobReport.DONE));
            assertThatThrownBy(() -> admin.job(99)).isInstanceOf(AdminClientException.class);
        }
    }

    // ---- helpers ----

    private static ServerProcess server(String name) throws IOException {
        return ServerProcess.start(
                "index-" + name, "--freed-slot-grace", "1s", "--container-size", "16MiB");
    }

    private static void put(S3Client s3, String key, long seed, int chunks) {
        s3.putObject(
                b -> b.bucket(BUCKET).key(key),
                RequestBody.fromBytes(TestFiles.bytes(seed, chunks * CHUNK)));
    }

    private static void eventually(String what, BooleanSupplier condition) {
        assertThat(Eventually.holds(DEADLINE, condition)).as(what).isTrue();
    }

    private static PruneReport prune(AdminClient admin, String by, String value, boolean dryRun) {
        return admin.result(
                IndexChecks.ended(admin, admin.pruneIndex(by, value, dryRun)), PruneReport.class);
    }
}
