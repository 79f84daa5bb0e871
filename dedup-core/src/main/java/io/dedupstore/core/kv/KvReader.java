package io.dedupstore.core.kv;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reading of an ordered store. Arrays passed in and out are not retained and may be changed.
 *
 * <p>A row that is there and cannot be read is never taken for absent: every method throws {@link
 * KvException} with {@code DAMAGED} instead.
 */
public interface KvReader {
    byte @Nullable [] get(Table table, byte[] key);

    /**
     * One value (or null) for each key, in their order. Where one of them cannot be read there is
     * no answer for any.
     */
    List<byte @Nullable []> multiGet(Table table, List<byte[]> keys);

    /**
     * Rows with {@code from <= key < to} in ascending order.
     *
     * @param to exclusive bound, or null for the table's end
     */
    KvCursor scan(Table table, byte[] from, byte @Nullable [] to);
}
