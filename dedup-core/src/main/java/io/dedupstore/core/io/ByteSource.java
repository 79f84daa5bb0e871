package io.dedupstore.core.io;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A blocking stream of bytes, read once from front to back by one thread. */
@FunctionalInterface
public interface ByteSource {
    /**
     * Reads at least one byte into {@code target}, blocking until there is one.
     *
     * @param target has room; the caller's, and only touched during the call
     * @return bytes read, at least 1; -1 at the end, and at every later call
     */
    int read(ByteBuffer target) throws IOException;

    /**
     * As {@link #read}, but the source may go on looking at the bytes it gave until {@link
     * #settle}: they must not be changed or moved before. One such read at a time.
     */
    default int readAhead(ByteBuffer target) throws IOException {
        return read(target);
    }

    /** Finishes with the bytes of the last {@link #readAhead}. Never throws for what they are. */
    default void settle() {}
}
