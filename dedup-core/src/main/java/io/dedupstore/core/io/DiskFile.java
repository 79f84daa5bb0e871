package io.dedupstore.core.io;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An open file. Positional reads may run in any number of threads beside each other and beside one
 * writer.
 *
 * <p>After a failed {@link #sync} nothing that was written since the last successful one may be
 * taken for durable, whatever a later sync says: the system forgets the pages it could not write.
 */
public interface DiskFile extends AutoCloseable {
    /**
     * Reads from {@code offset} until {@code target} is full or the file ends.
     *
     * @param target direct, for no extra copy; its position advances
     * @return bytes read, 0 at or behind the end
     */
    int read(ByteBuffer target, long offset) throws IOException;

    /**
     * Writes all of {@code source} at {@code offset}; its position advances. On failure any part
     * may have been written. Calls of about 1 MiB are cheapest.
     *
     * @throws NoSpaceException the file system is full
     */
    void write(ByteBuffer source, long offset) throws IOException;

    void truncate(long size) throws IOException;

    /** Returns when data and size are durable. */
    void sync() throws IOException;

    long size() throws IOException;

    @Override
    void close() throws IOException;
}
