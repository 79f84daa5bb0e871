package io.dedupstore.core.metadata;

import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts rows read. */
final class CountingReader implements KvReader {
    private final KvReader base;
    private int rows;

    CountingReader(KvReader base) {
        this.base = base;
    }

    int rows() {
        return rows;
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        rows++;
        return base.get(table, key);
    }

    @Override
    public List<byte @Nullable []> multiGet(Table table, List<byte[]> keys) {
        rows += keys.size();
        return base.multiGet(table, keys);
    }

    @Override
    public KvCursor scan(Table table, byte[] from, byte @Nullable [] to) {
        KvCursor cursor = base.scan(table, from, to);
        return new KvCursor() {
            @Override
            public boolean next() {
                rows++;
                return cursor.next();
            }

            @Override
            public byte[] key() {
                return cursor.key();
            }

            @Override
            public byte[] value() {
                return cursor.value();
            }

            @Override
            public void seek(byte[] key) {
                cursor.seek(key);
            }

            @Override
            public void close() {
                cursor.close();
            }
        };
    }
}
