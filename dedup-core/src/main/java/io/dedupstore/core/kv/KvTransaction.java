package io.dedupstore.core.kv;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Pending writes over a reader: reads see them, nothing is written until {@link #toBatch} is handed
 * to the store. One thread. State machines apply every entry through one of these.
 *
 * <p>Arrays handed to {@link #put} and {@link #delete} belong to the transaction from then on.
 */
public final class KvTransaction implements KvReader {
    private final KvReader base;
    private final Map<Table, NavigableMap<byte[], Pending>> pending = new HashMap<>();
    private int writeCount;

    /** A pending put (value) or delete (null). */
    private record Pending(byte @Nullable [] value) {
        byte @Nullable [] copy() {
            return value == null ? null : value.clone();
        }
    }

    public KvTransaction(KvReader base) {
        this.base = base;
    }

    public void put(Table table, byte[] key, byte[] value) {
        of(table).put(key, new Pending(value));
        writeCount++;
    }

    public void delete(Table table, byte[] key) {
        of(table).put(key, new Pending(null));
        writeCount++;
    }

    /** Writes made so far, repeated ones counted again. */
    public int writeCount() {
        return writeCount;
    }

    public KvBatch toBatch() {
        KvBatch batch = new KvBatch();
        pending.forEach(
                (table, rows) ->
                        rows.forEach(
                                (key, row) -> {
                                    if (row.value() == null) {
                                        batch.delete(table, key);
                                    } else {
                                        batch.put(table, key, row.value());
                                    }
                                }));
        return batch;
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        Pending row = of(table).get(key);
        return row != null ? row.copy() : base.get(table, key);
    }

    @Override
    public List<byte @Nullable []> multiGet(Table table, List<byte[]> keys) {
        NavigableMap<byte[], Pending> rows = of(table);
        if (rows.isEmpty()) {
            return base.multiGet(table, keys);
        }
        List<byte @Nullable []> values = new ArrayList<>(base.multiGet(table, keys));
        for (int i = 0; i < keys.size(); i++) {
            Pending row = rows.get(keys.get(i));
            if (row != null) {
                values.set(i, row.copy());
            }
        }
        return values;
    }

    /** The cursor sees the writes made before the scan began, not later ones. */
    @Override
    public KvCursor scan(Table table, byte[] from, byte @Nullable [] to) {
        NavigableMap<byte[], Pending> rows = of(table);
        if (rows.isEmpty()) {
            return base.scan(table, from, to);
        }
        NavigableMap<byte[], byte @Nullable []> overlay = new TreeMap<>(Arrays::compareUnsigned);
        if (to != null && Arrays.compareUnsigned(from, to) >= 0) {
            return EmptyCursor.INSTANCE;
        }
        NavigableMap<byte[], Pending> range =
                to == null ? rows.tailMap(from, true) : rows.subMap(from, true, to, false);
        range.forEach((key, row) -> overlay.put(key, row.value()));
        return overlay.isEmpty()
                ? base.scan(table, from, to)
                : new OverlayCursor(base.scan(table, from, to), overlay);
    }

    private NavigableMap<byte[], Pending> of(Table table) {
        return pending.computeIfAbsent(table, t -> new TreeMap<>(Arrays::compareUnsigned));
    }
}
