package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.JobReport;
import io.dedupstore.client.admin.NewBucket;
import io.dedupstore.client.admin.RebuildReport;
import io.dedupstore.client.admin.VerifyReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** The index is lost, or not trusted any more, and made anew from manifests. */
class IndexRebuildTest {
    private static final Duration DEADLINE = Duration.ofSeconds(90);
    private static final int CHUNK = 64 << 10;
    private static final String BUCKET = "rebuilt";

    @TempDir Path index;

    @Test
    void aStoreAtWorkMakesItsIndexAnew() throws IOException {
        try (ServerProcess server = ServerProcess.start("rebuild", "--freed-slot-grace", "0s");
                S3Client s3 = S3Clients.of(server);
                AdminClient admin = server.admin()) {
            fill(admin, s3);
            JobReport job = admin.rebuildIndex();
            put(s3, "meanwhile", 5, 8);
            assertContent(s3, "a", 1, 30);
            RebuildReport made = admin.result(IndexChecks.ended(admin, job), RebuildReport.class);
            assertThat(made.balanced()).isTrue();
            assertThat(made.lost()).isZero();
            assertThat(made.entries()).isEqualTo(40);
            assertAsBefore(admin, s3, 48);
        }
    }

    @Test
    void aLostIndexIsMadeAnewWhenItIsSaidSo() throws Exception {
        try (ServerProcess server =
                ServerProcess.start(
                        "lost", "--freed-slot-grace", "0s", "--index-dir", index.toString())) {
            try (S3Client s3 = S3Clients.of(server);
                    AdminClient admin = server.admin()) {
                fill(admin, s3);
            }
            server.kill9();
            emptied(index);

            assertThatThrownBy(server::restart)
                    .hasMessageContaining("the fingerprint index is missing")
                    .hasMessageContaining("--rebuild-index");
            server.restart("--rebuild-index", "true");
            try (S3Client s3 = S3Clients.of(server);
                    AdminClient admin = server.admin()) {
                put(s3, "meanwhile", 5, 8);
                assertContent(s3, "a", 1, 30);
                eventually("rebuilt", () -> !admin.index().rebuilding());
                assertAsBefore(admin, s3, 48);
            }
        }
    }

    @Test
    void anIndexThatDoesNotOpenIsSetAsideAndMadeAnew() throws Exception {
        try (ServerProcess server = ServerProcess.start("garbled", "--freed-slot-grace", "0s")) {
            try (S3Client s3 = S3Clients.of(server);
                    AdminClient admin = server.admin()) {
                fill(admin, s3);
            }
            server.kill9();
            garble(server.data().resolve("index"));
            assertThatThrownBy(server::restart).hasMessageContaining("index");

            server.restart("--rebuild-index", "true");
            try (S3Client s3 = S3Clients.of(server);
                    AdminClient admin = server.admin()) {
                put(s3, "meanwhile", 5, 8);
                eventually("rebuilt", () -> !admin.index().rebuilding());
                assertAsBefore(admin, s3, 48);
            }
            try (Stream<Path> files = Files.list(server.data().resolve("index"))) {
                assertThat(files.map(IndexRebuildTest::name))
                        .anyMatch(name -> name.startsWith("lost-"));
            }
            server.stop();
            server.restart();
            try (AdminClient admin = server.admin()) {
                assertThat(admin.index().rebuilding()).isFalse();
            }
        }
    }

    @Test
    void aRebuildThatWasKilledIsTakenUpAgain() throws Exception {
        try (ServerProcess server = ServerProcess.start("killed", "--freed-slot-grace", "0s")) {
            try (S3Client s3 = S3Clients.of(server);
                    AdminClient admin = server.admin()) {
                fill(admin, s3);
                admin.rebuildIndex();
                eventually("begun", () -> admin.index().rebuilding());
            }
            server.kill9();
            server.restart();
            try (S3Client s3 = S3Clients.of(server);
                    AdminClient admin = server.admin()) {
                eventually("rebuilt", () -> !admin.index().rebuilding());
                assertAsBefore(admin, s3, 40);
            }
        }
    }

    /** 40 chunks, 10 of them shared, some deleted. */
    private static void fill(AdminClient admin, S3Client s3) {
        admin.createBucket(new NewBucket(BUCKET, "fixed:64k", "off"));
        put(s3, "a", 1, 30);
        put(s3, "shared", 2, 10);
        put(s3, "twin", 2, 10);
        put(s3, "gone", 3, 10);
        s3.deleteObject(b -> b.bucket(BUCKET).key("gone"));
    }

    private static void assertAsBefore(AdminClient admin, S3Client s3, int chunks) {
        assertContent(s3, "a", 1, 30);
        assertContent(s3, "twin", 2, 10);
        put(s3, "again", 1, 30);
        eventually(
                "everything deduplicates",
                () -> admin.stats().total().distinctChunkBytes() == (long) chunks * CHUNK);
        eventually(
                "what was stored without the index is in it",
                () -> admin.metrics().contains("dedup_unindexed_bytes 0\n"));
        eventually("what it had is freed", () -> IndexChecks.verify(admin).slots() == chunks);
        VerifyReport verified = IndexChecks.verify(admin);
        assertThat(verified.differences()).isEmpty();
        assertThat(verified.unindexed()).isZero();
        assertThat(admin.index().anomalies()).isZero();
        for (String key : List.of("a", "again", "shared", "twin", "meanwhile")) {
            s3.deleteObject(b -> b.bucket(BUCKET).key(key));
        }
        eventually("all is freed", () -> IndexChecks.verify(admin).slots() == 0);
        assertThat(IndexChecks.verify(admin).differences()).isEmpty();
        assertThat(admin.index().audit().balanced()).isTrue();
        assertThat(admin.index().audit().failures()).isZero();
    }

    private static void assertContent(S3Client s3, String key, int seed, int chunks) {
        assertThat(s3.getObjectAsBytes(b -> b.bucket(BUCKET).key(key)).asByteArray())
                .isEqualTo(TestFiles.bytes(seed, chunks * CHUNK));
    }

    private static void put(S3Client s3, String key, int seed, int chunks) {
        s3.putObject(
                b -> b.bucket(BUCKET).key(key),
                RequestBody.fromBytes(TestFiles.bytes(seed, chunks * CHUNK)));
    }

    /** The files that name all others mean nothing any more. */
    private static void garble(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.filter(file -> name(file).startsWith("MANIFEST-")).toList()) {
                Files.write(path, new byte[100]);
            }
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }

    private static void emptied(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                if (!path.equals(directory)) {
                    Files.delete(path);
                }
            }
        }
    }

    private static void eventually(String what, BooleanSupplier condition) {
        assertThat(Eventually.holds(DEADLINE, condition)).as(what).isTrue();
    }
}
