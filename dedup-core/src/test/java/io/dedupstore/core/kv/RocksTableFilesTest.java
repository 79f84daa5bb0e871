package io.dedupstore.core.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksTableFilesTest {
    private static final Table POINTS = new Table("points", Table.Profile.POINT);
    private static final Table OTHERS = new Table("others", Table.Profile.POINT);
    private static final int ROWS = 100_000;
    private static final int VALUE_BYTES = 22;

    private final RocksResources resources =
            new RocksResources(new StoreLimits(32 << 20, 16 << 20, 1));

    @TempDir private Path directory;
    private RocksKvStore store;
    private TableFiles files;

    @BeforeEach
    void fill() {
        store =
                RocksKvStore.open(
                        directory.resolve("kv"),
                        List.of(POINTS, OTHERS),
                        resources,
                        WriteMode.UNLOGGED);
        files = store.files();
        put(0, ROWS);
        store.flush();
    }

    @AfterEach
    void close() {
        store.close();
        resources.close();
    }

    private void put(int from, int to) {
        Random random = new Random(7);
        KvBatch batch = new KvBatch();
        for (int i = from; i < to; i++) {
            byte[] value = new byte[VALUE_BYTES];
            random.nextBytes(value);
            batch.put(POINTS, key(i), value);
        }
        store.write(batch);
    }

    /** Spread evenly, as fingerprints are. */
    private static byte[] key(int i) {
        return ByteBuffer.allocate(34).putShort((short) 0).putLong(i * 0x9e3779b97f4a7c15L).array();
    }

    @Test
    void figuresShowWhatATableTakes() {
        TableFiles.Figures figures = files.figures(POINTS);

        assertThat(figures.rows()).isEqualTo(ROWS);
        assertThat(figures.files()).isPositive();
        assertThat(figures.fileBytes()).isEqualTo(store.sizeBytes(POINTS));
        assertThat(figures.fileBytes()).isGreaterThan((long) ROWS * VALUE_BYTES);
        assertThat(figures.filterBytes()).isBetween((long) ROWS, 3L * ROWS);
        assertThat(files.figures(OTHERS).fileBytes()).isZero();
    }

    @Test
    void compactionGivesBackWhatWasDeleted() {
        long before = files.figures(POINTS).fileBytes();
        KvBatch batch = new KvBatch();
        for (int i = 0; i < ROWS; i++) {
            if (i % 10 != 0) {
                batch.delete(POINTS, key(i));
            }
        }
        store.write(batch);
        store.flush();
        List<Long> seen = new ArrayList<>();

        boolean done =
                files.compact(
                        List.of(POINTS, OTHERS),
                        (bytes, total) -> {
                            assertThat(bytes).isLessThanOrEqualTo(total);
                            seen.add(bytes);
                            return true;
                        });

        assertThat(done).isTrue();
        assertThat(seen).isSorted().hasSizeGreaterThan(1);
        assertThat(files.figures(POINTS).fileBytes()).isLessThan(before / 5);
        assertThat(store.get(POINTS, key(10))).isNotNull();
        assertThat(store.get(POINTS, key(11))).isNull();
    }

    @Test
    void compactionStopsWhenTold() {
        assertThat(files.compact(List.of(POINTS), (done, total) -> false)).isFalse();
        assertThat(store.get(POINTS, key(1))).isNotNull();
    }

    @Test
    void compactionStopsWhileATableIsRewritten() {
        AtomicInteger asked = new AtomicInteger();

        // The first answer lets it begin; the second is asked for on the way.
        assertThat(files.compact(List.of(POINTS), (done, total) -> asked.incrementAndGet() < 2))
                .isFalse();

        assertThat(store.get(POINTS, key(1))).isNotNull();
        assertThat(files.compact(List.of(POINTS), (done, total) -> true)).isTrue();
    }

    @Test
    void readingEverythingPassesEveryByte() {
        long[] last = new long[2];
        boolean done =
                files.readAll(
                        List.of(POINTS),
                        (bytes, total) -> {
                            last[0] = bytes;
                            last[1] = total;
                            return true;
                        });

        assertThat(done).isTrue();
        assertThat(last).containsExactly(store.sizeBytes(POINTS), store.sizeBytes(POINTS));
        assertThat(files.readAll(List.of(POINTS), (bytes, total) -> false)).isFalse();
        assertThat(files.readAll(List.of(OTHERS), (bytes, total) -> true)).isTrue();
    }

    @Test
    void filtersAreReadFileByFile() {
        long[] last = new long[1];
        assertThat(
                        files.readFilters(
                                List.of(POINTS),
                                (done, total) -> {
                                    last[0] = done;
                                    return true;
                                }))
                .isTrue();
        assertThat(last[0]).isEqualTo(files.figures(POINTS).files());
    }

    @Test
    void aClosedStoreIsNotTouched() {
        store.close();
        assertThatThrownBy(() -> files.figures(POINTS))
                .isInstanceOfSatisfying(
                        KvException.class,
                        e -> assertThat(e.code()).isEqualTo(KvException.Code.CLOSED));
        assertThatThrownBy(() -> files.readFilters(List.of(POINTS), (done, total) -> true))
                .isInstanceOf(KvException.class);
    }
}
