package io.dedupstore.core.sigv4;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Blocking source of bytes. */
@FunctionalInterface
public interface ByteSource {
    /**
     * Waits for at least one byte.
     *
     * @return bytes put into {@code dst}, -1 at the end, 0 only if {@code dst} has no room
     */
    int read(ByteBuffer dst) throws IOException;
}
