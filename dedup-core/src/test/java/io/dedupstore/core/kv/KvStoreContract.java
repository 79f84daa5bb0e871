package io.dedupstore.core.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every {@link KvStore} does, and every {@link KvTransaction} over one. */
abstract class KvStoreContract {
    static final Table POINTS = new Table("points", Table.Profile.POINT);
    static final Table SCANS = new Table("scans", Table.Profile.SCAN);
    static final Table QUEUES = new Table("queues", Table.Profile.QUEUE);
    static final Table ONCE = new Table("once", Table.Profile.ONCE);
    static final List<Table> TABLES = List.of(POINTS, SCANS, QUEUES, ONCE);

    private KvStore store;

    abstract KvStore open();

    @BeforeEach
    void openStore() {
        store = open();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    @Test
    void returnsWhatWasWrittenAndNullForTheRest() {
        store.write(new KvBatch().put(POINTS, bytes("a"), bytes("1")));

        assertThat(store.get(POINTS, bytes("a"))).isEqualTo(bytes("1"));
        assertThat(store.get(POINTS, bytes("b"))).isNull();
        assertThat(store.get(SCANS, bytes("a"))).isNull();
    }

    @Test
    void keepsEmptyKeysAndValues() {
        store.write(new KvBatch().put(SCANS, bytes(""), bytes("")));

        assertThat(store.get(SCANS, bytes(""))).isEmpty();
        assertThat(rows(store.scan(SCANS, new byte[0], null))).containsExactly("=");
    }

    @Test
    void appliesTheWritesOfABatchInOrder() {
        store.write(
                new KvBatch()
                        .put(POINTS, bytes("a"), bytes("1"))
                        .put(POINTS, bytes("b"), bytes("2"))
                        .delete(POINTS, bytes("a"))
                        .put(POINTS, bytes("b"), bytes("3")));

        assertThat(store.get(POINTS, bytes("a"))).isNull();
        assertThat(store.get(POINTS, bytes("b"))).isEqualTo(bytes("3"));
    }

    @Test
    void writesNothingOfABatchThatNamesAnUnknownTable() {
        Table other = new Table("other", Table.Profile.POINT);

        assertThatThrownBy(
                        () ->
                                store.write(
                                        new KvBatch()
                                                .put(POINTS, bytes("a"), bytes("1"))
                                                .put(other, bytes("a"), bytes("1"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("other");
        assertThat(store.get(POINTS, bytes("a"))).isNull();
    }

    @Test
    void multiGetAnswersInTheOrderAsked() {
        store.write(
                new KvBatch()
                        .put(POINTS, bytes("a"), bytes("1"))
                        .put(POINTS, bytes("c"), bytes("3")));

        assertThat(store.multiGet(POINTS, List.of(bytes("c"), bytes("b"), bytes("a"), bytes("c"))))
                .containsExactly(bytes("3"), null, bytes("1"), bytes("3"));
        assertThat(store.multiGet(POINTS, List.of())).isEmpty();
    }

    @Test
    void scansInUnsignedByteOrderWithinBounds() {
        KvBatch batch = new KvBatch();
        for (int b : new int[] {0x00, 0x01, 0x7f, 0x80, 0xff}) {
            batch.put(SCANS, new byte[] {(byte) b}, new byte[] {(byte) b});
        }
        store.write(batch);

        try (KvCursor cursor = store.scan(SCANS, new byte[] {1}, new byte[] {(byte) 0xff})) {
            List<Integer> seen = new ArrayList<>();
            while (cursor.next()) {
                assertThat(cursor.value()).isEqualTo(cursor.key());
                seen.add(cursor.key()[0] & 0xff);
            }
            assertThat(seen).containsExactly(0x01, 0x7f, 0x80);
            assertThat(cursor.next()).isFalse();
            assertThatThrownBy(cursor::key).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void anEmptyOrInvertedRangeHasNoRows() {
        store.write(new KvBatch().put(SCANS, bytes("b"), bytes("1")));

        assertThat(rows(store.scan(SCANS, bytes("b"), bytes("b")))).isEmpty();
        assertThat(rows(store.scan(SCANS, bytes("c"), bytes("a")))).isEmpty();
        KvTransaction transaction = new KvTransaction(store);
        transaction.put(SCANS, bytes("bb"), bytes("2"));
        assertThat(rows(transaction.scan(SCANS, bytes("c"), bytes("a")))).isEmpty();
    }

    @Test
    void seekMovesToTheFirstRowFromTheKeyButNeverOutOfTheRange() {
        KvBatch batch = new KvBatch();
        for (char c = 'a'; c <= 'f'; c++) {
            batch.put(SCANS, bytes("" + c), bytes("" + c));
        }
        store.write(batch);

        try (KvCursor cursor = store.scan(SCANS, bytes("b"), bytes("e"))) {
            cursor.seek(bytes("a"));
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.key()).isEqualTo(bytes("b"));
            cursor.seek(bytes("cc"));
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.key()).isEqualTo(bytes("d"));
            cursor.seek(bytes("c"));
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.key()).isEqualTo(bytes("c"));
            cursor.seek(bytes("e"));
            assertThat(cursor.next()).isFalse();
            cursor.seek(bytes("d"));
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.next()).isFalse();
        }
    }

    @Test
    void aSnapshotDoesNotSeeLaterWrites() {
        store.write(
                new KvBatch()
                        .put(SCANS, bytes("a"), bytes("1"))
                        .put(SCANS, bytes("b"), bytes("1")));
        try (KvSnapshot snapshot = store.snapshot()) {
            store.write(
                    new KvBatch()
                            .put(SCANS, bytes("a"), bytes("2"))
                            .delete(SCANS, bytes("b"))
                            .put(SCANS, bytes("c"), bytes("2")));

            assertThat(snapshot.get(SCANS, bytes("a"))).isEqualTo(bytes("1"));
            assertThat(snapshot.multiGet(SCANS, List.of(bytes("b"), bytes("c"))))
                    .containsExactly(bytes("1"), null);
            assertThat(rows(snapshot.scan(SCANS, bytes(""), null))).containsExactly("a=1", "b=1");
        }
        assertThat(rows(store.scan(SCANS, bytes(""), null))).containsExactly("a=2", "c=2");
    }

    @Test
    void rowsPutOnceAndDeletedOnceStayGoneAcrossFlushes() {
        for (int i = 0; i < 20; i++) {
            store.write(new KvBatch().put(ONCE, bytes("row" + i), bytes("value")));
            if (i == 10) {
                store.flush();
            }
        }
        for (int i = 0; i < 20; i += 2) {
            store.write(new KvBatch().delete(ONCE, bytes("row" + i)));
        }
        store.write(new KvBatch().delete(ONCE, bytes("never put")));
        store.flush();

        assertThat(store.get(ONCE, bytes("row4"))).isNull();
        assertThat(store.get(ONCE, bytes("row14"))).isNull();
        assertThat(rows(store.scan(ONCE, bytes(""), null))).hasSize(10);
    }

    @Test
    void aClosedStoreRefuses() {
        store.close();
        assertThatThrownBy(() -> store.get(POINTS, bytes("a")))
                .isInstanceOfSatisfying(
                        KvException.class,
                        e -> assertThat(e.code()).isEqualTo(KvException.Code.CLOSED));
        store.close();
    }

    @Test
    void arraysMayBeChangedByTheirOwners() {
        byte[] key = bytes("key");
        byte[] value = bytes("value");
        store.write(new KvBatch().put(POINTS, key, value));
        key[0] = 'x';
        value[0] = 'x';
        byte[] read = store.get(POINTS, bytes("key"));
        assertThat(read).isEqualTo(bytes("value"));
        read[0] = 'y';
        assertThat(store.get(POINTS, bytes("key"))).isEqualTo(bytes("value"));

        KvTransaction transaction = new KvTransaction(store);
        transaction.put(POINTS, bytes("new"), bytes("value"));
        byte[] pending = transaction.get(POINTS, bytes("new"));
        pending[0] = 'z';
        assertThat(transaction.get(POINTS, bytes("new"))).isEqualTo(bytes("value"));
    }

    @Test
    void behavesLikeASortedMapUnderRandomTransactions() {
        long seed = Long.getLong("seed", 42);
        Random random = new Random(seed);
        Map<Table, NavigableMap<byte[], byte[]>> model = Map.of(POINTS, newMap(), SCANS, newMap());
        for (int round = 0; round < 300; round++) {
            KvTransaction transaction = new KvTransaction(store);
            Map<Table, NavigableMap<byte[], byte[]>> expected = copy(model);
            int operations = random.nextInt(30);
            for (int i = 0; i < operations; i++) {
                Table table = random.nextBoolean() ? POINTS : SCANS;
                byte[] key = randomKey(random);
                if (random.nextInt(3) == 0) {
                    transaction.delete(table, key.clone());
                    expected.get(table).remove(key);
                } else {
                    byte[] value = new byte[random.nextInt(8)];
                    random.nextBytes(value);
                    transaction.put(table, key.clone(), value.clone());
                    expected.get(table).put(key, value);
                }
            }
            String where = "seed " + seed + " round " + round;
            compare(where, transaction, expected, random);
            if (random.nextInt(4) != 0) {
                store.write(transaction.toBatch());
                model = expected;
            }
            compare(where + " store", store, model, random);
        }
    }

    private static void compare(
            String where,
            KvReader reader,
            Map<Table, NavigableMap<byte[], byte[]>> expected,
            Random random) {
        for (Table table : List.of(POINTS, SCANS)) {
            NavigableMap<byte[], byte[]> rows = expected.get(table);
            byte[] a = randomKey(random);
            byte[] b = randomKey(random);
            byte[] to = random.nextInt(5) == 0 ? null : b;
            assertThat(reader.get(table, a)).as(where).isEqualTo(rows.get(a));
            assertThat(reader.multiGet(table, List.of(a, b)))
                    .as(where)
                    .containsExactly(rows.get(a), rows.get(b));
            assertThat(rows(reader.scan(table, a, to)))
                    .as(where)
                    .isEqualTo(rows(range(rows, a, to)));
            byte[] target = randomKey(random);
            try (KvCursor cursor = reader.scan(table, a, to)) {
                if (random.nextBoolean()) {
                    cursor.next();
                }
                cursor.seek(target);
                byte[] start = Arrays.compareUnsigned(target, a) < 0 ? a : target;
                assertThat(rest(cursor)).as(where).isEqualTo(rows(range(rows, start, to)));
            }
        }
    }

    private static NavigableMap<byte[], byte[]> range(
            NavigableMap<byte[], byte[]> rows, byte[] from, byte @Nullable [] to) {
        if (to == null) {
            return rows.tailMap(from, true);
        }
        return Arrays.compareUnsigned(from, to) >= 0
                ? newMap()
                : rows.subMap(from, true, to, false);
    }

    private static byte[] randomKey(Random random) {
        byte[] key = new byte[1 + random.nextInt(2)];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) (random.nextInt(8) * 32);
        }
        return key;
    }

    private static NavigableMap<byte[], byte[]> newMap() {
        return new TreeMap<>(Arrays::compareUnsigned);
    }

    private static Map<Table, NavigableMap<byte[], byte[]>> copy(
            Map<Table, NavigableMap<byte[], byte[]>> model) {
        NavigableMap<byte[], byte[]> points = newMap();
        points.putAll(model.get(POINTS));
        NavigableMap<byte[], byte[]> scans = newMap();
        scans.putAll(model.get(SCANS));
        return Map.of(POINTS, points, SCANS, scans);
    }

    private static List<String> rows(NavigableMap<byte[], byte[]> map) {
        List<String> rows = new ArrayList<>();
        map.forEach((key, value) -> rows.add(text(key) + "=" + text(value)));
        return rows;
    }

    static List<String> rows(KvCursor cursor) {
        try (cursor) {
            return rest(cursor);
        }
    }

    private static List<String> rest(KvCursor cursor) {
        List<String> rows = new ArrayList<>();
        while (cursor.next()) {
            rows.add(text(cursor.key()) + "=" + text(cursor.value()));
        }
        return rows;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
