package io.dedupstore.core.kv;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reading of an ordered store. Arrays passed in and out are not retained and may be changed. */
public interface KvReader {
    byte @Nullable [] get(Table table, byte[] key);

    /** One value (or null) for each key, in their order. */
    List<byte @Nullable []> multiGet(Table table, List<byte[]> keys);

    /**
     * Rows with {@code from <= key < to} in ascending order.
     *
     * @param to exclusive bound, or null for the table's end
     */
    KvCursor scan(Table table, byte[] from, byte @Nullable [] to);
}
