package io.dedupstore.core.kv;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/** A native iterator within bounds. */
final class RocksCursor implements KvCursor {
    private final byte[] from;
    private final ReadOptions options;
    private final @Nullable Slice upperBound;
    private final RocksIterator iterator;
    private final Runnable onClose;
    private final Damage damage;
    private boolean positioned;
    private boolean onRow;
    private boolean closed;

    RocksCursor(
            RocksDB database,
            ColumnFamilyHandle handle,
            ReadOptions options,
            byte[] from,
            byte @Nullable [] to,
            Runnable onClose,
            Damage damage) {
        this.from = from;
        this.options = options;
        this.upperBound = to == null ? null : new Slice(to);
        if (upperBound != null) {
            options.setIterateUpperBound(upperBound);
        }
        this.iterator = database.newIterator(handle, options);
        this.onClose = onClose;
        this.damage = damage;
    }

    @Override
    public boolean next() {
        requireOpen();
        if (!positioned) {
            iterator.seek(from);
            positioned = true;
        } else if (onRow) {
            iterator.next();
        }
        return check();
    }

    @Override
    public void seek(byte[] key) {
        requireOpen();
        iterator.seek(Arrays.compareUnsigned(key, from) < 0 ? from : key);
        positioned = true;
        // The row found is the next one, so next() must not step over it.
        onRow = false;
    }

    private boolean check() {
        onRow = iterator.isValid();
        if (!onRow) {
            try {
                iterator.status();
            } catch (RocksDBException e) {
                throw damage.ofRead("scanning a table", e);
            }
        }
        return onRow;
    }

    @Override
    public byte[] key() {
        requireRow();
        return iterator.key();
    }

    @Override
    public byte[] value() {
        requireRow();
        return iterator.value();
    }

    private void requireRow() {
        requireOpen();
        if (!onRow) {
            throw new IllegalStateException("no current row");
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("cursor is closed");
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        iterator.close();
        options.close();
        if (upperBound != null) {
            upperBound.close();
        }
        onClose.run();
    }
}
