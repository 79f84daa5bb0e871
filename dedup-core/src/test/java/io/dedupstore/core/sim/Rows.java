package io.dedupstore.core.sim;

import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All rows of a small store at one moment. A change makes another one that shares the tables it
 * left alone, so that keeping every state that ever was costs little. Equal rows are equal.
 */
final class Rows implements KvReader {
    static final Rows NONE = new Rows(new TreeMap<>());

    private final Map<String, Page> tables;
    private final int hash;

    /** One table: keys ascending, values beside them. */
    private static final class Page {
        private static final Page EMPTY = new Page(new byte[0][], new byte[0][]);

        private final byte[][] keys;
        private final byte[][] values;
        private final int hash;

        Page(byte[][] keys, byte[][] values) {
            this.keys = keys;
            this.values = values;
            this.hash = 31 * Arrays.deepHashCode(keys) + Arrays.deepHashCode(values);
        }

        int find(byte[] key) {
            return Arrays.binarySearch(keys, key, Arrays::compareUnsigned);
        }

        /** The first row at or behind a key. */
        int from(byte[] key) {
            int at = find(key);
            return at < 0 ? -at - 1 : at;
        }

        @Override
        public boolean equals(Object o) {
            return this == o
                    || o instanceof Page other
                            && hash == other.hash
                            && Arrays.deepEquals(keys, other.keys)
                            && Arrays.deepEquals(values, other.values);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    private Rows(Map<String, Page> tables) {
        this.tables = tables;
        this.hash = tables.hashCode();
    }

    private Page page(Table table) {
        return tables.getOrDefault(table.name(), Page.EMPTY);
    }

    /** These rows with some written over or removed. */
    Rows with(KvBatch batch) {
        if (batch.writes().isEmpty()) {
            return this;
        }
        Map<String, TreeMap<byte[], byte[]>> changed = new LinkedHashMap<>();
        for (KvBatch.Write write : batch.writes()) {
            TreeMap<byte[], byte[]> rows =
                    changed.computeIfAbsent(
                            write.table().name(), name -> unpacked(page(write.table())));
            byte[] value = write.value();
            if (value == null) {
                rows.remove(write.key());
            } else {
                rows.put(write.key().clone(), value.clone());
            }
        }
        Map<String, Page> after = new TreeMap<>(tables);
        changed.forEach(
                (name, rows) -> {
                    if (rows.isEmpty()) {
                        after.remove(name);
                    } else {
                        after.put(
                                name,
                                new Page(
                                        rows.keySet().toArray(byte[][]::new),
                                        rows.values().toArray(byte[][]::new)));
                    }
                });
        return new Rows(after);
    }

    private static TreeMap<byte[], byte[]> unpacked(Page page) {
        TreeMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);
        for (int i = 0; i < page.keys.length; i++) {
            rows.put(page.keys[i], page.values[i]);
        }
        return rows;
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        Page page = page(table);
        int at = page.find(key);
        return at < 0 ? null : page.values[at].clone();
    }

    @Override
    public List<byte @Nullable []> multiGet(Table table, List<byte[]> keys) {
        List<byte @Nullable []> values = new ArrayList<>(keys.size());
        for (byte[] key : keys) {
            values.add(get(table, key));
        }
        return values;
    }

    @Override
    public KvCursor scan(Table table, byte[] from, byte @Nullable [] to) {
        Page page = page(table);
        return new Cursor(page, page.from(from), to == null ? page.keys.length : page.from(to));
    }

    private static final class Cursor implements KvCursor {
        private final Page page;
        private final int end;
        private int next;

        Cursor(Page page, int first, int end) {
            this.page = page;
            this.next = first;
            this.end = end;
        }

        @Override
        public boolean next() {
            if (next >= end) {
                return false;
            }
            next++;
            return true;
        }

        @Override
        public void seek(byte[] key) {
            next = page.from(key);
        }

        @Override
        public byte[] key() {
            return page.keys[next - 1].clone();
        }

        @Override
        public byte[] value() {
            return page.values[next - 1].clone();
        }

        @Override
        public void close() {}
    }

    @Override
    public boolean equals(Object o) {
        return this == o
                || o instanceof Rows other && hash == other.hash && tables.equals(other.tables);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
