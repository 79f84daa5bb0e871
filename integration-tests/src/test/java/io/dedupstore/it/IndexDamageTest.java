package io.dedupstore.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.JobReport;
import io.dedupstore.client.admin.NewBucket;
import io.dedupstore.client.admin.VerifyReport;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Bits flip in the files of the fingerprint index while the server is down. Nothing that anybody
 * owns is freed, objects read back as before, new ones are taken, and the damage is told; where the
 * server cannot go on it says what is damaged.
 */
class IndexDamageTest {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final String BUCKET = "damage";
    private static final int CHUNK = 4 << 10;
    private static final int OBJECTS = 12;
    private static final int OBJECT_CHUNKS = 150;

    private final long seed = Long.getLong("dedup.test.seed", System.nanoTime());
    private final Random random = new Random(seed);

    /** Key to seed of the content. */
    private final Map<String, Long> objects = new TreeMap<>();

    private ServerProcess server;

    /**
     * Objects in pairs of the same content, so that half of all references are to shared chunks.
     */
    @BeforeEach
    void fillAndStop(TestInfo test) throws IOException {
        server =
                ServerProcess.start(
                        "damage-" + test.getTestMethod().orElseThrow().getName(),
                        "--freed-slot-grace",
                        "1s",
                        "--container-size",
                        "16MiB");
        try (AdminClient admin = server.admin();
                S3Client s3 = S3Clients.of(server)) {
            admin.createBucket(new NewBucket(BUCKET, "fixed:4k", "off"));
            for (int i = 0; i < OBJECTS; i++) {
                put(s3, "first-" + i, i);
                put(s3, i % 2 == 0 ? "twin-" + i : "single-" + i, i % 2 == 0 ? i : 1_000 + i);
            }
            IndexChecks.settle(admin);
            // Everything is in files afterwards.
            IndexChecks.ended(admin, admin.shrinkIndex());
        }
        assertThat(server.stop()).isIn(0, 143);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private void put(S3Client s3, String key, long content) {
        s3.putObject(
                b -> b.bucket(BUCKET).key(key),
                RequestBody.fromBytes(TestFiles.bytes(content, OBJECT_CHUNKS * CHUNK)));
        objects.put(key, content);
    }

    @Test
    void entriesThatCannotBeReadAreNeverFreed() throws IOException {
        for (String table : List.of("index-unique", "index-duplicate")) {
            Path file = tableOf(table);
            // Far from the end of the file, where its own index and properties are.
            for (int flips = 0; flips < 4; flips++) {
                flip(file, random.nextLong(Files.size(file) / 2));
            }
        }
        server.restart();
        goOnWorking();
        assertDamageIsTold();
        server.stop();
        server.restart();
        assertObjectsReadBack("after another start");
    }

    @Test
    void tablesThatCannotBeOpenedAreNeverFreed() throws IOException {
        for (String table : List.of("index-unique", "index-duplicate")) {
            Path file = tableOf(table);
            flip(file, Files.size(file) - 1 - random.nextInt(40));
        }
        server.restart();
        goOnWorking();
        assertDamageIsTold();
        server.kill9();
        server.restart();
        assertObjectsReadBack("after a kill");
    }

    /** Filters, properties and the tables' own indexes: the last eighth of each file. */
    @Test
    void flipsAtTheEndsOfTablesFreeNothing() throws IOException {
        for (String table : List.of("index-unique", "index-duplicate")) {
            Path file = tableOf(table);
            long size = Files.size(file);
            for (int flips = 0; flips < 3; flips++) {
                flip(file, size - 1 - random.nextLong(size / 8));
            }
        }
        server.restart();
        goOnWorking();
    }

    private void goOnWorking() throws IOException {
        try (AdminClient admin = server.admin();
                S3Client s3 = S3Clients.of(server)) {
            assertObjectsReadBack("after the start");
            // One owner of each shared chunk goes, some content comes again, some is new.
            for (int i = 0; i < OBJECTS; i += 2) {
                delete(s3, "first-" + i);
                put(s3, "again-" + i, i);
                put(s3, "new-" + i, 5_000 + i);
            }
            delete(s3, "single-1");
            put(s3, "single-3", 3);
            IndexChecks.settle(admin);
            assertThat(Eventually.holds(DEADLINE, () -> admin.index().audit().balanced()))
                    .as("the books agree in spite of what cannot be read")
                    .isTrue();
            // What was freed is gone after this.
            admin.compact();
            assertObjectsReadBack("after collection");
            assertThat(server.isAlive()).isTrue();
        }
    }

    private void delete(S3Client s3, String key) {
        s3.deleteObject(b -> b.bucket(BUCKET).key(key));
        objects.remove(key);
    }

    private void assertObjectsReadBack(String when) throws IOException {
        try (S3Client s3 = S3Clients.of(server)) {
            for (Map.Entry<String, Long> object : objects.entrySet()) {
                byte[] bytes = TestFiles.bytes(object.getValue(), OBJECT_CHUNKS * CHUNK);
                assertThat(
                                TestFiles.sha256(
                                        s3.getObject(b -> b.bucket(BUCKET).key(object.getKey()))))
                        .as("seed %d, %s: %s", seed, when, object.getKey())
                        .isEqualTo(TestFiles.sha256(bytes));
            }
        }
    }

    private void assertDamageIsTold() throws IOException {
        try (AdminClient admin = server.admin()) {
            VerifyReport verified = IndexChecks.verify(admin);
            assertThat(verified.differences())
                    .extracting(VerifyReport.Difference::kind)
                    .contains("unreadable-table");
            assertThat(verified.differences()).noneMatch(VerifyReport.Difference::lossy);
            assertThat(admin.index().disk().damagedPlaces()).isPositive();
            assertThat(admin.index().unreadable()).isPositive();
            assertThat(admin.metrics())
                    .containsPattern("dedup_index_damaged_places [1-9]")
                    .containsPattern("dedup_index_unreadable_total [1-9]");
            JobReport prune = IndexChecks.ended(admin, admin.pruneIndex("percent", "100", false));
            assertThat(prune.state()).isEqualTo("failed");
            assertThat(prune.errors().getFirst()).contains("scanning");
        }
        assertThat(Files.readString(server.log())).contains("is damaged: ");
        assertThat(server.isAlive()).isTrue();
    }

    @Test
    void damageOfWhatTheIndexCannotDoWithoutStopsItWithAMessage() throws IOException {
        Path file = tableOf("index-state");
        byte[] whole = Files.readAllBytes(file);
        for (long at : new long[] {3, Files.size(file) - 20}) {
            flip(file, at);
            assertThatThrownBy(() -> server.restart())
                    .as("byte %d of %d", at, whole.length)
                    .hasMessageContaining("met damage")
                    .hasMessageContaining("000")
                    .hasMessageContaining("index-state");
            assertThat(server.isAlive()).isFalse();
            Files.write(file, whole);
        }
        server.restart();
        assertObjectsReadBack("when it was restored");
    }

    @Test
    void damageOfWhatNamesTheFilesStopsItWithAMessage() throws IOException {
        for (String prefix : List.of("CURRENT", "MANIFEST-")) {
            Path file = named(prefix);
            byte[] whole = Files.readAllBytes(file);
            flip(file, random.nextLong(whole.length));
            assertThatThrownBy(() -> server.restart())
                    .as("seed %d: %s", seed, file)
                    .hasMessageContaining("opening the store at " + index() + " failed: ");
            Files.write(file, whole);
        }
        server.restart();
        assertObjectsReadBack("when it was restored");
    }

    @Test
    void damageOfTheReplicatedLogStopsItWithAMessage() throws IOException {
        server.restart();
        try (S3Client s3 = S3Clients.of(server)) {
            for (int i = 0; i < 5; i++) {
                put(s3, "logged-" + i, 9_000 + i);
            }
        }
        server.kill9();
        Path file = indexLog();
        byte[] whole = Files.readAllBytes(file);
        int end = whole.length;
        while (whole[end - 1] == 0) {
            end--;
        }
        for (int at : new int[] {end / 3, end / 2 + random.nextInt(end / 3), end - 1}) {
            flip(file, at);
            assertThatThrownBy(() -> server.restart())
                    .as("seed %d: byte %d of %d", seed, at, end)
                    .hasMessageContaining("dedup: start failed: the log of index in ");
            Files.write(file, whole);
        }
        server.restart();
        assertObjectsReadBack("when it was restored");
    }

    /** The segment that is being written; the group's name gives the directory's. */
    private Path indexLog() throws IOException {
        String group = UUID.nameUUIDFromBytes("dedupstore/index".getBytes(UTF_8)).toString();
        Path current = server.data().resolve("raft").resolve(group).resolve("current");
        try (Stream<Path> files = Files.list(current)) {
            return files.filter(file -> file.getFileName().toString().contains("inprogress"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    // ---- helpers ----

    private Path index() {
        return server.data().resolve("index");
    }

    private Path named(String prefix) throws IOException {
        try (Stream<Path> files = Files.list(index())) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** The largest file of a table; each file names its table. */
    private Path tableOf(String table) throws IOException {
        Path largest = null;
        try (Stream<Path> files = Files.list(index())) {
            for (Path file : files.filter(f -> f.toString().endsWith(".sst")).toList()) {
                boolean larger = largest == null || Files.size(file) > Files.size(largest);
                String text = Files.readString(file, StandardCharsets.ISO_8859_1);
                if (larger && text.contains(table)) {
                    largest = file;
                }
            }
        }
        assertThat(largest).as("a file of %s in %s", table, index()).isNotNull();
        return largest;
    }

    private static void flip(Path path, long at) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(at);
            int before = file.read();
            file.seek(at);
            file.write(before ^ 1 << at % Byte.SIZE);
        }
    }
}
