package io.dedupstore.core.metadata;

import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The walk that listings of objects, of versions and of uploads share: rows of a prefix in order,
 * where those that have the delimiter behind the prefix are rolled up, by seeking past them.
 */
final class Listing {
    private final byte[] prefix;
    private final byte[] delimiter;
    private final int limit;
    private final RowNames names;
    private final Taker taker;
    private int lines;

    /** How names of things become row keys and back. */
    interface RowNames {
        /** The prefix of the rows of all names that start with {@code start}. */
        byte[] rowsFrom(String start);

        /** The name in a row's key. */
        byte[] nameOf(byte[] rowKey);
    }

    /** The rows that are walked. */
    interface Rows {
        KvCursor scan(byte[] from, byte @Nullable [] end);
    }

    /** Takes the lines of a page. */
    interface Taker {
        void row(byte[] name, byte[] rowKey, byte[] value);

        void commonPrefix(String prefix);
    }

    Listing(String prefix, Optional<String> delimiter, int limit, RowNames names, Taker taker) {
        this.prefix = utf8(prefix);
        this.delimiter = utf8(delimiter.orElse(""));
        this.limit = limit;
        this.names = names;
        this.taker = taker;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Where to begin so that everything rolled up with {@code name} is skipped, if it is. */
    byte @Nullable [] behindCommonPrefixOf(String name) {
        byte[] bytes = utf8(name);
        int length = Bytes.startsWith(bytes, prefix) ? commonPrefixLength(bytes) : -1;
        return length < 0 ? null : Bytes.successorOfPrefix(names.rowsFrom(text(bytes, length)));
    }

    private static String text(byte[] bytes, int length) {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /** Length of the common prefix that a name with our prefix is rolled up to; -1 for none. */
    private int commonPrefixLength(byte[] name) {
        if (delimiter.length == 0) {
            return -1;
        }
        for (int i = prefix.length; i + delimiter.length <= name.length; i++) {
            int end = i + delimiter.length;
            if (Arrays.equals(name, i, end, delimiter, 0, delimiter.length)) {
                return end;
            }
        }
        return -1;
    }

    /**
     * @param start where to begin, if not at the first row of the prefix
     * @return whether there is more than the limit
     */
    boolean walk(KvReader rows, Table table, byte @Nullable [] start) {
        return walk((from, end) -> rows.scan(table, from, end), start);
    }

    boolean walk(Rows rows, byte @Nullable [] start) {
        if (limit <= 0) {
            return false;
        }
        byte[] first = names.rowsFrom(text(prefix, prefix.length));
        byte @Nullable [] end = Bytes.successorOfPrefix(first);
        byte[] from = start != null && Arrays.compareUnsigned(start, first) > 0 ? start : first;
        if (isBehind(from, end)) {
            return false;
        }
        try (KvCursor cursor = rows.scan(from, end)) {
            while (cursor.next()) {
                if (lines == limit) {
                    return true;
                }
                byte @Nullable [] next = take(cursor);
                if (next != null) {
                    if (isBehind(next, end)) {
                        return false;
                    }
                    cursor.seek(next);
                }
            }
        }
        return false;
    }

    private static boolean isBehind(byte[] key, byte @Nullable [] end) {
        return end != null && Arrays.compareUnsigned(key, end) >= 0;
    }

    /** Takes the current row; where to go on, unless with the next one. */
    private byte @Nullable [] take(KvCursor cursor) {
        byte[] name = names.nameOf(cursor.key());
        lines++;
        int length = commonPrefixLength(name);
        if (length < 0) {
            taker.row(name, cursor.key(), cursor.value());
            return null;
        }
        String common = text(name, length);
        taker.commonPrefix(common);
        return Bytes.successorOfPrefix(names.rowsFrom(common));
    }
}
