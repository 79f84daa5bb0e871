package io.dedupstore.core.kv;

import java.nio.file.Path;

/**
 * An ordered store. Reads from any thread, writes from one at a time. Every method may block on the
 * disk, so virtual threads call it through the {@code kv} pool only.
 *
 * <p>Failures are {@link KvException}; after one from a write the store must be given up.
 */
public interface KvStore extends KvReader, AutoCloseable {
    /** Applies all writes of {@code batch} or none. */
    void write(KvBatch batch);

    /** A consistent view as of now. */
    KvSnapshot snapshot();

    /** Returns when everything written so far would survive a crash. */
    void flush();

    /**
     * A copy of the store as of now, in a directory that must not exist yet; hard links where
     * possible.
     */
    void checkpoint(Path directory);

    /**
     * How fast flushes and compactions may write files from now on, those under way included; a
     * hint. Any thread.
     *
     * @param bytesPerSecond Long.MAX_VALUE for no limit
     */
    default void limitFileWrites(long bytesPerSecond) {}

    /** Bytes on disk of a table, approximately. */
    long sizeBytes(Table table);

    @Override
    void close();
}
