package io.dedupstore.core.kv;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The twin without a disk: for tests and for the simulation. Nothing survives the process, a
 * checkpoint is refused. Cursors walk a copy of their range.
 */
public final class MemoryKvStore implements KvStore {
    private final Map<String, NavigableMap<byte[], byte[]>> tables;
    private boolean closed;

    public MemoryKvStore(List<Table> tables) {
        this.tables = new HashMap<>();
        tables.forEach(t -> this.tables.put(t.name(), newRows()));
    }

    private MemoryKvStore(Map<String, NavigableMap<byte[], byte[]>> tables) {
        this.tables = tables;
    }

    private static NavigableMap<byte[], byte[]> newRows() {
        return new TreeMap<>(Arrays::compareUnsigned);
    }

    @Override
    public synchronized byte @Nullable [] get(Table table, byte[] key) {
        byte[] value = rows(table).get(key);
        return value == null ? null : value.clone();
    }

    @Override
    public synchronized List<byte @Nullable []> multiGet(Table table, List<byte[]> keys) {
        List<byte @Nullable []> values = new ArrayList<>(keys.size());
        for (byte[] key : keys) {
            values.add(get(table, key));
        }
        return values;
    }

    @Override
    public synchronized KvCursor scan(Table table, byte[] from, byte @Nullable [] to) {
        NavigableMap<byte[], byte[]> rows = rows(table);
        if (to != null && Arrays.compareUnsigned(from, to) >= 0) {
            return EmptyCursor.INSTANCE;
        }
        NavigableMap<byte[], byte[]> copy = newRows();
        copy.putAll(to == null ? rows.tailMap(from, true) : rows.subMap(from, true, to, false));
        return new MapCursor(copy);
    }

    @Override
    public synchronized void write(KvBatch batch) {
        // All tables are looked up first: an unknown one must not leave half a batch behind.
        batch.writes().forEach(write -> rows(write.table()));
        for (KvBatch.Write write : batch.writes()) {
            byte[] value = write.value();
            if (value == null) {
                rows(write.table()).remove(write.key());
            } else {
                rows(write.table()).put(write.key().clone(), value.clone());
            }
        }
    }

    @Override
    public synchronized KvSnapshot snapshot() {
        requireOpen();
        Map<String, NavigableMap<byte[], byte[]>> copy = new HashMap<>();
        tables.forEach(
                (name, rows) -> {
                    NavigableMap<byte[], byte[]> rowsCopy = newRows();
                    rowsCopy.putAll(rows);
                    copy.put(name, rowsCopy);
                });
        return new MemorySnapshot(new MemoryKvStore(copy));
    }

    /** A copy of all rows. */
    private record MemorySnapshot(MemoryKvStore copy) implements KvSnapshot {
        @Override
        public byte @Nullable [] get(Table table, byte[] key) {
            return copy.get(table, key);
        }

        @Override
        public List<byte @Nullable []> multiGet(Table table, List<byte[]> keys) {
            return copy.multiGet(table, keys);
        }

        @Override
        public KvCursor scan(Table table, byte[] from, byte @Nullable [] to) {
            return copy.scan(table, from, to);
        }

        @Override
        public void close() {
            copy.close();
        }
    }

    @Override
    public synchronized void flush() {
        requireOpen();
    }

    @Override
    public void checkpoint(Path directory) {
        if (Files.exists(directory)) {
            throw new IllegalArgumentException("checkpoint directory exists: " + directory);
        }
        throw new UnsupportedOperationException("a store in memory has no files to copy");
    }

    @Override
    public synchronized long sizeBytes(Table table) {
        return rows(table).entrySet().stream()
                .mapToLong(e -> e.getKey().length + e.getValue().length)
                .sum();
    }

    private NavigableMap<byte[], byte[]> rows(Table table) {
        requireOpen();
        NavigableMap<byte[], byte[]> rows = tables.get(table.name());
        if (rows == null) {
            throw new IllegalArgumentException("store was opened without table " + table.name());
        }
        return rows;
    }

    private void requireOpen() {
        if (closed) {
            throw new KvException(KvException.Code.CLOSED, "the store is closed");
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
    }

    /** Walks a map that nobody else changes. */
    private static final class MapCursor implements KvCursor {
        private final NavigableMap<byte[], byte[]> rows;
        private Map.@Nullable Entry<byte[], byte[]> upcoming;
        private Map.@Nullable Entry<byte[], byte[]> current;

        MapCursor(NavigableMap<byte[], byte[]> rows) {
            this.rows = rows;
            this.upcoming = rows.firstEntry();
        }

        @Override
        public boolean next() {
            current = upcoming;
            if (current == null) {
                return false;
            }
            upcoming = rows.higherEntry(current.getKey());
            return true;
        }

        @Override
        public void seek(byte[] key) {
            current = null;
            upcoming = rows.ceilingEntry(key);
        }

        @Override
        public byte[] key() {
            return row().getKey().clone();
        }

        @Override
        public byte[] value() {
            return row().getValue().clone();
        }

        private Map.Entry<byte[], byte[]> row() {
            if (current == null) {
                throw new IllegalStateException("no current row");
            }
            return current;
        }

        @Override
        public void close() {}
    }
}
