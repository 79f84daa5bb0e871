package io.dedupstore.core.kv;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;

/**
 * Reads of an open database, as of now or as of a native snapshot. Every call holds the gate, and a
 * cursor holds it until closed.
 */
final class RocksView implements KvReader {
    private final String name;
    private final RocksDB database;
    private final Map<String, ColumnFamilyHandle> handles;
    private final UseGate gate;
    private final Damage damage;
    private final @Nullable Snapshot snapshot;

    RocksView(
            String name,
            RocksDB database,
            Map<String, ColumnFamilyHandle> handles,
            UseGate gate,
            Damage damage,
            @Nullable Snapshot snapshot) {
        this.name = name;
        this.database = database;
        this.handles = handles;
        this.gate = gate;
        this.damage = damage;
        this.snapshot = snapshot;
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        gate.enter(name);
        try (ReadOptions options = options()) {
            return database.get(handle(table), options, key);
        } catch (RocksDBException e) {
            throw damage.ofRead("reading table " + table.name(), e);
        } finally {
            gate.leave();
        }
    }

    /**
     * One by one: the calls of RocksDB's Java API for many keys give a row that cannot be read as
     * one that is not there, and save little where filters and tables are in memory.
     */
    @Override
    public List<byte @Nullable []> multiGet(Table table, List<byte[]> keys) {
        if (keys.isEmpty()) {
            return List.of();
        }
        gate.enter(name);
        try (ReadOptions options = options()) {
            ColumnFamilyHandle handle = handle(table);
            List<byte @Nullable []> values = new ArrayList<>(keys.size());
            for (byte[] key : keys) {
                values.add(database.get(handle, options, key));
            }
            return values;
        } catch (RocksDBException e) {
            throw damage.ofRead("reading table " + table.name(), e);
        } finally {
            gate.leave();
        }
    }

    @Override
    public KvCursor scan(Table table, byte[] from, byte @Nullable [] to) {
        if (to != null && Arrays.compareUnsigned(from, to) >= 0) {
            return EmptyCursor.INSTANCE;
        }
        gate.enter(name);
        try {
            return new RocksCursor(
                    database, handle(table), options(), from.clone(), to, gate::leave, damage);
        } catch (RuntimeException e) {
            gate.leave();
            throw e;
        }
    }

    ColumnFamilyHandle handle(Table table) {
        ColumnFamilyHandle handle = handles.get(table.name());
        if (handle == null) {
            throw new IllegalArgumentException(name + " was opened without table " + table.name());
        }
        return handle;
    }

    private ReadOptions options() {
        ReadOptions options = new ReadOptions();
        if (snapshot != null) {
            options.setSnapshot(snapshot);
        }
        return options;
    }
}
