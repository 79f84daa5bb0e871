package io.dedupstore.core.kv;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes that take effect together, in order. */
public final class KvBatch {
    /** One write; a null value deletes. */
    public record Write(Table table, byte[] key, byte @Nullable [] value) {}

    private final List<Write> writes = new ArrayList<>();

    public KvBatch put(Table table, byte[] key, byte[] value) {
        writes.add(new Write(table, key, value));
        return this;
    }

    public KvBatch delete(Table table, byte[] key) {
        writes.add(new Write(table, key, null));
        return this;
    }

    public List<Write> writes() {
        return writes;
    }
}
