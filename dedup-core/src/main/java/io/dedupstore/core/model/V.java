package io.dedupstore.core.model;

import java.nio.ByteBuffer;

/**
 * One attempt of a mutating request: the epoch its session belongs to, the gateway session, and the
 * session's counter. New for every attempt and never reused; it names the holder that the attempt
 * makes. Orders by epoch, session, counter, and its 16 big-endian bytes order the same way.
 */
public record V(int epoch, int session, long counter) implements Comparable<V> {
    public static final int BYTES = 16;

    public V {
        if (epoch < 1 || session < 1 || counter < 0) {
            throw new IllegalArgumentException("not a V: " + epoch + "." + session + "." + counter);
        }
    }

    /** Reads 16 big-endian bytes; {@code in} must be big-endian. */
    public static V read(ByteBuffer in) {
        return new V(in.getInt(), in.getInt(), in.getLong());
    }

    public static V of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a V has 16 bytes, not " + bytes.length);
        }
        return read(ByteBuffer.wrap(bytes));
    }

    public void write(ByteBuffer out) {
        out.putInt(epoch).putInt(session).putLong(counter);
    }

    public byte[] toBytes() {
        ByteBuffer out = ByteBuffer.allocate(BYTES);
        write(out);
        return out.array();
    }

    @Override
    public int compareTo(V o) {
        int c = Integer.compare(epoch, o.epoch);
        c = c != 0 ? c : Integer.compare(session, o.session);
        return c != 0 ? c : Long.compare(counter, o.counter);
    }

    @Override
    public String toString() {
        return epoch + "." + session + "." + counter;
    }
}
