package io.dedupstore.core.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flipped bits in a store's files: what was written is read as it was, or refused. */
class RocksDamageTest {
    private static final Table POINTS = new Table("points", Table.Profile.POINT);
    private static final Table QUEUES = new Table("queues", Table.Profile.QUEUE);
    private static final int ROWS = 2_000;
    private static final int ROUNDS = 24;
    private static final int FILES = 80;

    /** Metadata blocks and footer lie at the end of a file; this covers them, and filters. */
    private static final int TAIL_BYTES = 5_000;

    @TempDir private Path directory;

    private final long seed = Long.getLong("dedup.test.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void noRowIsLostSilentlyWhereverABitFlips() throws IOException {
        Path origin = directory.resolve("origin");
        withStore(origin, this::fill);
        for (int round = 0; round < ROUNDS; round++) {
            Path copy = copy(origin, directory.resolve("round-" + round));
            Path file = largestTable(copy);
            long size = Files.size(file);
            long at =
                    round % 2 == 0 ? random.nextLong(size) : size - 1 - random.nextInt(TAIL_BYTES);
            flip(file, at);
            String where = "seed %d, round %d, byte %d of %d".formatted(seed, round, at, size);
            withStore(copy, store -> checkRows(store, where));
        }
    }

    private static void checkRows(RocksKvStore store, String where) {
        int damaged = 0;
        for (int i = 0; i < ROWS; i++) {
            byte[] value = readOrNull(store, i);
            damaged += value == null ? 1 : 0;
            if (value != null) {
                assertThat(value).as("%s, row %d", where, i).isEqualTo(value(i));
            }
        }
        assertThat(store.files().damages().places() > 0).as(where).isEqualTo(damaged > 0);
        assertThat(store.get(QUEUES, key(1))).as(where).isEqualTo(value(1));
        List<byte[]> keys = IntStream.range(0, ROWS).mapToObj(RocksDamageTest::key).toList();
        if (damaged > 0) {
            assertThatThrownBy(() -> store.multiGet(POINTS, keys))
                    .as(where)
                    .isInstanceOfSatisfying(
                            KvException.class,
                            e -> assertThat(e.code()).isEqualTo(KvException.Code.DAMAGED));
            assertThatThrownBy(() -> count(store))
                    .as(where)
                    .isInstanceOfSatisfying(
                            KvException.class,
                            e -> assertThat(e.code()).isEqualTo(KvException.Code.DAMAGED));
        } else {
            assertThat(store.multiGet(POINTS, keys)).as(where).doesNotContainNull();
            assertThat(count(store)).as(where).isEqualTo(ROWS);
        }
    }

    /** Null when it is damaged; fails when it is absent. */
    private static byte @Nullable [] readOrNull(RocksKvStore store, int row) {
        try {
            byte[] value = store.get(POINTS, key(row));
            assertThat(value).as("row %d is absent", row).isNotNull();
            return value;
        } catch (KvException e) {
            assertThat(e.code()).isEqualTo(KvException.Code.DAMAGED);
            return null;
        }
    }

    private static int count(RocksKvStore store) {
        int rows = 0;
        try (KvCursor cursor = store.scan(POINTS, new byte[0], null)) {
            while (cursor.next()) {
                rows++;
            }
        }
        return rows;
    }

    @Test
    void writingGoesOnWhenEveryCompactionMeetsDamage() throws IOException {
        Path path = directory.resolve("compacting");
        withStore(path, this::fill);
        flip(largestTable(path), 100);
        withStore(
                path,
                store -> {
                    assertThatThrownBy(() -> store.files().compact(List.of(POINTS), (d, t) -> true))
                            .isInstanceOfSatisfying(
                                    KvException.class,
                                    e -> assertThat(e.code()).isEqualTo(KvException.Code.DAMAGED));
                    // More files than RocksDB lets wait for compaction before it stops writes.
                    for (int file = 0; file < FILES; file++) {
                        KvBatch batch = new KvBatch();
                        for (int i = 0; i < 20; i++) {
                            int row = ROWS + file * 20 + i;
                            batch.put(POINTS, key(row), value(row));
                            batch.put(QUEUES, key(row), value(row));
                        }
                        store.write(batch);
                        store.flush();
                    }
                    assertThat(store.files().damages().places()).isPositive();
                    for (int row = ROWS; row < ROWS + 20 * FILES; row++) {
                        assertThat(store.get(QUEUES, key(row))).isEqualTo(value(row));
                    }
                    assertThat(store.files().figures(POINTS).files()).isGreaterThan(FILES);
                    assertThat(store.files().figures(QUEUES).files()).isLessThan(FILES / 2);
                });
        withStore(path, store -> assertThat(readOrNull(store, ROWS)).isEqualTo(value(ROWS)));
    }

    @Test
    void aStoreWithALogOfItsOwnIsStrict() throws IOException {
        Path path = directory.resolve("synced");
        try (RocksResources resources = resources()) {
            try (RocksKvStore store = open(path, resources, WriteMode.SYNCED)) {
                fill(store);
            }
        }
        // What was only in the log is in a file after the second start.
        try (RocksResources resources = resources()) {
            open(path, resources, WriteMode.SYNCED).close();
        }
        Path file = largestTable(path);
        flip(file, Files.size(file) - 10);
        try (RocksResources resources = resources()) {
            assertThatThrownBy(() -> open(path, resources, WriteMode.SYNCED))
                    .isInstanceOf(KvException.class)
                    .hasMessageContaining(path.toString());
        }
    }

    @Test
    void damageOfWhatNamesTheFilesIsRefusedAtTheStart() throws IOException {
        Path origin = directory.resolve("origin");
        withStore(origin, this::fill);
        List<Path> names;
        try (Stream<Path> files = Files.list(origin)) {
            names =
                    files.filter(f -> f.getFileName().toString().matches("CURRENT|MANIFEST-.*"))
                            .toList();
        }
        assertThat(names).hasSize(2);
        for (Path name : names) {
            for (int round = 0; round < 10; round++) {
                String copyName = name.getFileName() + "-" + round;
                Path copy = copy(origin, directory.resolve(copyName));
                Path file = copy.resolve(name.getFileName());
                long at = random.nextLong(Files.size(file));
                flip(file, at);
                String where = "seed %d, byte %d of %s".formatted(seed, at, copyName);
                try (RocksResources resources = resources()) {
                    assertThatThrownBy(() -> open(copy, resources, WriteMode.UNLOGGED))
                            .as(where)
                            .isInstanceOf(KvException.class)
                            .hasMessageContaining(copy.toString());
                }
            }
        }
    }

    // ---- helpers ----

    /** What is done with an open store. */
    private interface Use {
        void of(RocksKvStore store) throws IOException;
    }

    /** Each store has a cache of its own: that of an undamaged copy would hide the damage. */
    private static void withStore(Path path, Use use) throws IOException {
        try (RocksResources resources = resources();
                RocksKvStore store = open(path, resources, WriteMode.UNLOGGED)) {
            use.of(store);
        }
    }

    private static RocksResources resources() {
        return new RocksResources(new StoreLimits(16 << 20, 8 << 20, 1));
    }

    private static RocksKvStore open(Path path, RocksResources resources, WriteMode mode) {
        return RocksKvStore.open(path, List.of(POINTS, QUEUES), resources, mode);
    }

    private void fill(RocksKvStore store) {
        KvBatch batch = new KvBatch();
        for (int i = 0; i < ROWS; i++) {
            batch.put(POINTS, key(i), value(i));
        }
        store.write(batch.put(QUEUES, key(1), value(1)));
        store.flush();
    }

    private static byte[] key(int row) {
        byte[] key = new byte[34];
        new Random(row).nextBytes(key);
        return key;
    }

    private static byte[] value(int row) {
        byte[] value = new byte[22];
        new Random(~row).nextBytes(value);
        return value;
    }

    private static Path largestTable(Path store) throws IOException {
        List<Path> tables = new ArrayList<>();
        try (Stream<Path> files = Files.list(store)) {
            files.filter(file -> file.toString().endsWith(".sst")).forEach(tables::add);
        }
        return tables.stream().max(Comparator.comparing(f -> f.toFile().length())).orElseThrow();
    }

    private static void flip(Path path, long at) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(at);
            int before = file.read();
            file.seek(at);
            file.write(before ^ 1 << at % 8);
        }
    }

    private static Path copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.filter(f -> !f.endsWith("LOCK")).toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
        return to;
    }
}
