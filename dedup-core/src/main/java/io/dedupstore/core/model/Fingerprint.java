package io.dedupstore.core.model;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;

/**
 * The 32-byte name of a chunk inside its dedup domain, held as four big-endian words. Orders by
 * unsigned bytes.
 */
public record Fingerprint(long w0, long w1, long w2, long w3) implements Comparable<Fingerprint> {
    public static final int BYTES = 32;

    public static Fingerprint of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a fingerprint has 32 bytes, not " + bytes.length);
        }
        return read(ByteBuffer.wrap(bytes));
    }

    /** Reads 32 bytes at the position of {@code in}, whatever its byte order, and advances it. */
    public static Fingerprint read(ByteBuffer in) {
        if (in.order() == ByteOrder.BIG_ENDIAN) {
            return new Fingerprint(in.getLong(), in.getLong(), in.getLong(), in.getLong());
        }
        return new Fingerprint(
                Long.reverseBytes(in.getLong()),
                Long.reverseBytes(in.getLong()),
                Long.reverseBytes(in.getLong()),
                Long.reverseBytes(in.getLong()));
    }

    /** Writes 32 bytes at the position of {@code out}, whatever its byte order, and advances it. */
    public void write(ByteBuffer out) {
        boolean big = out.order() == ByteOrder.BIG_ENDIAN;
        out.putLong(big ? w0 : Long.reverseBytes(w0));
        out.putLong(big ? w1 : Long.reverseBytes(w1));
        out.putLong(big ? w2 : Long.reverseBytes(w2));
        out.putLong(big ? w3 : Long.reverseBytes(w3));
    }

    public byte[] toBytes() {
        ByteBuffer out = ByteBuffer.allocate(BYTES);
        write(out);
        return out.array();
    }

    @Override
    public int compareTo(Fingerprint o) {
        int c = Long.compareUnsigned(w0, o.w0);
        c = c != 0 ? c : Long.compareUnsigned(w1, o.w1);
        c = c != 0 ? c : Long.compareUnsigned(w2, o.w2);
        return c != 0 ? c : Long.compareUnsigned(w3, o.w3);
    }

    @Override
    public int hashCode() {
        // The words of a keyed hash are already uniform.
        return (int) w0;
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(toBytes());
    }
}
