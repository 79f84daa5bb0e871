package io.dedupstore.core.model;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Small helpers for byte strings that order by unsigned bytes, as every key of the store does. */
public final class Bytes {
    private Bytes() {}

    /** The concatenation of {@code parts}. */
    public static byte[] concat(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }

    public static boolean startsWith(byte[] bytes, byte[] prefix) {
        return bytes.length >= prefix.length
                && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
    }

    /**
     * The smallest byte string greater than every one that starts with {@code prefix}; {@code null}
     * when there is none (empty, or only 0xff bytes).
     */
    public static byte @org.jspecify.annotations.Nullable [] successorOfPrefix(byte[] prefix) {
        for (int i = prefix.length - 1; i >= 0; i--) {
            if (prefix[i] != (byte) 0xff) {
                byte[] next = Arrays.copyOf(prefix, i + 1);
                next[i]++;
                return next;
            }
        }
        return null;
    }

    /** The smallest byte string greater than {@code bytes}: one zero byte longer. */
    public static byte[] successor(byte[] bytes) {
        return Arrays.copyOf(bytes, bytes.length + 1);
    }
}
