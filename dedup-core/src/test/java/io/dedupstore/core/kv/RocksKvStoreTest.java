package io.dedupstore.core.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksKvStoreTest extends KvStoreContract {
    private static RocksResources resources;

    @TempDir private Path directory;

    @BeforeAll
    static void share() {
        resources = new RocksResources(new StoreLimits(16 << 20, 8 << 20, 1));
    }

    @AfterAll
    static void release() {
        resources.close();
    }

    @Override
    KvStore open() {
        return open("contract", WriteMode.UNLOGGED);
    }

    private RocksKvStore open(String name, WriteMode mode) {
        return RocksKvStore.open(directory.resolve(name), TABLES, resources, mode);
    }

    @Test
    void syncedWritesSurviveWithoutAFlush() {
        try (KvStore store = open("synced", WriteMode.SYNCED)) {
            store.write(new KvBatch().put(SCANS, bytes("a"), bytes("1")));
        }
        try (KvStore store = open("synced", WriteMode.SYNCED)) {
            assertThat(store.get(SCANS, bytes("a"))).isEqualTo(bytes("1"));
        }
    }

    @Test
    void absencesThatSnapshotsFoundNeverHideAPut() throws InterruptedException {
        long seed = 5;
        try (KvStore store = open("absences", WriteMode.UNLOGGED)) {
            AtomicBoolean over = new AtomicBoolean();
            Thread reader = Thread.ofPlatform().start(() -> lookUpUntil(over, store, seed + 1));
            Random random = new Random(seed);
            Set<Integer> there = new HashSet<>();
            for (int round = 0; round < 3000; round++) {
                List<Integer> asked = random.ints(20, 0, 200).boxed().distinct().toList();
                List<byte[]> values =
                        store.multiGet(POINTS, asked.stream().map(n -> key(n)).toList());
                KvBatch batch = new KvBatch();
                for (int i = 0; i < asked.size(); i++) {
                    int number = asked.get(i);
                    boolean known = there.contains(number);
                    assertThat(values.get(i) != null)
                            .as("%d, seed %d", number, seed)
                            .isEqualTo(known);
                    if (known) {
                        batch.delete(POINTS, key(number));
                        there.remove(number);
                    } else {
                        batch.put(POINTS, key(number), bytes("v"));
                        there.add(number);
                    }
                }
                store.write(batch);
            }
            over.set(true);
            reader.join();
        }
    }

    private static void lookUpUntil(AtomicBoolean over, KvStore store, long seed) {
        Random random = new Random(seed);
        while (!over.get()) {
            try (KvSnapshot snapshot = store.snapshot()) {
                for (int i = 0; i < 4; i++) {
                    List<byte[]> keys = random.ints(50, 0, 200).mapToObj(n -> key(n)).toList();
                    snapshot.multiGet(POINTS, keys);
                }
            }
        }
    }

    private static byte[] key(int number) {
        return bytes("key " + number);
    }

    @Test
    void filesAreWrittenNoFasterThanTheyMayAndTheLimitCanBeTakenBackMeanwhile() {
        try (KvStore store = open("paced", WriteMode.UNLOGGED)) {
            store.limitFileWrites(4 << 20);
            assertThat(flushSeconds(store, 1)).as("2 MiB at 4 MiB/s").isGreaterThan(0.25);
            store.limitFileWrites(64 << 10);
            Thread helper = Thread.ofPlatform().start(() -> store.limitFileWrites(Long.MAX_VALUE));
            assertThat(flushSeconds(store, 2)).as("not at 64 KiB/s").isLessThan(20);
            helper.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static double flushSeconds(KvStore store, long seed) {
        Random random = new Random(seed);
        KvBatch batch = new KvBatch();
        for (int i = 0; i < 2048; i++) {
            byte[] value = new byte[1024];
            random.nextBytes(value);
            batch.put(SCANS, bytes("k" + i), value);
        }
        store.write(batch);
        long start = System.nanoTime();
        store.flush();
        return (System.nanoTime() - start) / 1e9;
    }

    @Test
    void unloggedWritesAreOnDiskAfterAFlushAndAllTablesStandAtTheSameWrite() throws IOException {
        Path crashed = directory.resolve("crashed");
        try (KvStore store = open("unlogged", WriteMode.UNLOGGED)) {
            store.write(put("1"));
            store.flush();
            store.write(put("2"));
            copy(directory.resolve("unlogged"), crashed);
        }
        try (KvStore store = RocksKvStore.open(crashed, TABLES, resources, WriteMode.UNLOGGED)) {
            for (Table table : TABLES) {
                assertThat(store.get(table, bytes("a"))).isEqualTo(bytes("1"));
            }
        }
    }

    private static KvBatch put(String value) {
        KvBatch batch = new KvBatch();
        TABLES.forEach(table -> batch.put(table, bytes("a"), bytes(value)));
        return batch;
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                if (!file.endsWith("LOCK")) {
                    Files.copy(file, to.resolve(file.getFileName()));
                }
            }
        }
    }

    @Test
    void aCheckpointIsAStoreOfItsOwn() {
        Path copy = directory.resolve("copy");
        try (KvStore store = open("origin", WriteMode.UNLOGGED)) {
            store.write(put("1"));
            store.checkpoint(copy);
            store.write(put("2"));
            assertThatThrownBy(() -> store.checkpoint(copy))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(store.get(SCANS, bytes("a"))).isEqualTo(bytes("2"));
        }
        try (KvStore store = RocksKvStore.open(copy, TABLES, resources, WriteMode.UNLOGGED)) {
            assertThat(store.get(SCANS, bytes("a"))).isEqualTo(bytes("1"));
            assertThat(store.get(QUEUES, bytes("a"))).isEqualTo(bytes("1"));
        }
    }

    @Test
    void missingTablesAreCreatedAndUnknownOnesRefused() {
        Path path = directory.resolve("tables");
        RocksKvStore.open(path, List.of(POINTS), resources, WriteMode.UNLOGGED).close();
        try (KvStore store = RocksKvStore.open(path, TABLES, resources, WriteMode.UNLOGGED)) {
            store.write(put("1"));
            store.flush();
        }
        assertThatThrownBy(
                        () ->
                                RocksKvStore.open(
                                        path, List.of(POINTS), resources, WriteMode.UNLOGGED))
                .isInstanceOfSatisfying(
                        KvException.class,
                        e -> assertThat(e.code()).isEqualTo(KvException.Code.INCOMPATIBLE))
                .hasMessageContaining("queues")
                .hasMessageContaining("scans");
    }

    @Test
    void aDamagedFileIsReportedAndNotReadAsData() throws IOException {
        Path path = directory.resolve("damaged");
        try (KvStore store = open("damaged", WriteMode.UNLOGGED)) {
            for (int i = 0; i < 1000; i++) {
                store.write(new KvBatch().put(POINTS, bytes("key" + i), bytes("value" + i)));
            }
            store.flush();
        }
        try (Stream<Path> files = Files.list(path)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".sst")).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                for (int i = 0; i < bytes.length / 2; i++) {
                    bytes[i] ^= 0x55;
                }
                Files.write(file, bytes);
            }
        }
        try (KvStore store = open("damaged", WriteMode.UNLOGGED)) {
            assertThatThrownBy(() -> store.get(POINTS, bytes("key1")))
                    .isInstanceOf(KvException.class)
                    .hasMessageContaining("points");
        }
    }

    @Test
    void aFailedFlushMakesTheStoreRefuseEverything() throws IOException {
        Path path = directory.resolve("failing");
        RocksKvStore store = open("failing", WriteMode.UNLOGGED);
        store.write(put("1"));
        try (Stream<Path> files = Files.list(path)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(path);
        assertThatThrownBy(store::flush).isInstanceOf(KvException.class);
        assertThatThrownBy(() -> store.get(POINTS, bytes("a"))).isInstanceOf(KvException.class);
        assertThatThrownBy(() -> store.write(put("2")))
                .isInstanceOf(KvException.class)
                .hasMessageContaining("failed");
        store.close();
    }

    @Test
    void closingWaitsForReadsInOtherThreads() throws InterruptedException {
        RocksKvStore store = open("busy", WriteMode.UNLOGGED);
        store.write(put("1"));
        KvCursor cursor = store.scan(SCANS, bytes(""), null);
        Thread closer = new Thread(store::close);
        closer.start();
        while (closer.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertThat(cursor.next()).isTrue();
        assertThatThrownBy(() -> store.get(SCANS, bytes("a")))
                .isInstanceOfSatisfying(
                        KvException.class,
                        e -> assertThat(e.code()).isEqualTo(KvException.Code.CLOSED));
        cursor.close();
        closer.join(10_000);
        assertThat(closer.isAlive()).isFalse();
    }

    @Test
    void sizeGrowsWithWhatIsFlushed() {
        try (KvStore store = open("size", WriteMode.UNLOGGED)) {
            assertThat(store.sizeBytes(POINTS)).isZero();
            store.write(new KvBatch().put(POINTS, bytes("a"), new byte[10_000]));
            store.flush();
            assertThat(store.sizeBytes(POINTS)).isGreaterThan(10_000);
            assertThat(store.sizeBytes(SCANS)).isZero();
        }
    }
}
