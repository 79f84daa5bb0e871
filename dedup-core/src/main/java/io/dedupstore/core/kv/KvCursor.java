package io.dedupstore.core.kv;

/** A forward walk over rows; stands before the first row at the start. One thread. */
public interface KvCursor extends AutoCloseable {
    /** Moves to the next row; false when there is none. */
    boolean next();

    byte[] key();

    byte[] value();

    /** Moves so that the following {@link #next} yields the first row with a key >= {@code key}. */
    void seek(byte[] key);

    @Override
    void close();
}
