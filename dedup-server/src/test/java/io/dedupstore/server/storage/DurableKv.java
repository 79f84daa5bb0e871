package io.dedupstore.server.storage;

import io.dedupstore.core.io.FaultyDisk;
import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvSnapshot;
import io.dedupstore.core.kv.KvStore;
import io.dedupstore.core.kv.MemoryKvStore;
import io.dedupstore.core.kv.Table;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store that survives being closed, and takes nothing once its machine is off. */
final class DurableKv implements KvStore {
    private final MemoryKvStore rows;
    private final FaultyDisk machine;
    private int writes;

    DurableKv(List<Table> tables, FaultyDisk machine) {
        this(new MemoryKvStore(tables), machine);
    }

    private DurableKv(MemoryKvStore rows, FaultyDisk machine) {
        this.rows = rows;
        this.machine = machine;
    }

    /** The same rows in another machine. */
    DurableKv movedTo(FaultyDisk other) {
        return new DurableKv(rows, other);
    }

    synchronized int writes() {
        return writes;
    }

    @Override
    public synchronized void write(KvBatch batch) {
        if (machine.isDead()) {
            throw new IllegalStateException("the machine is off");
        }
        writes++;
        rows.write(batch);
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        return rows.get(table, key);
    }

    @Override
    public List<byte @Nullable []> multiGet(Table table, List<byte[]> keys) {
        return rows.multiGet(table, keys);
    }

    @Override
    public KvCursor scan(Table table, byte[] from, byte @Nullable [] to) {
        return rows.scan(table, from, to);
    }

    @Override
    public KvSnapshot snapshot() {
        return rows.snapshot();
    }

    @Override
    public void flush() {}

    @Override
    public void checkpoint(Path directory) {
        rows.checkpoint(directory);
    }

    @Override
    public long sizeBytes(Table table) {
        return rows.sizeBytes(table);
    }

    @Override
    public void close() {
        // The rows stay for the next start.
    }
}
