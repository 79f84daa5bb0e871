package io.dedupstore.server.http;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A response body on its way. Writes block while the client reads slower than the handler writes
 * (about 1 MiB is on its way at most). For HEAD, and for statuses without a body, writes are
 * counted and dropped.
 */
public interface ResponseBody extends AutoCloseable {

    /** Copies {@code src}, which is the caller's again on return. Small writes are gathered. */
    void write(ByteBuffer src) throws IOException;

    /**
     * Sends {@code src} without copying it. The buffer must stay untouched until {@code release}
     * runs, which happens exactly once, also on failure, on any thread, and must not block.
     */
    void write(ByteBuffer src, Runnable release) throws IOException;

    /** Pushes gathered bytes to the client without waiting for them to arrive. */
    void flush() throws IOException;

    /** Cuts the connection so that the client can't take what it has for a whole response. */
    void abort();

    /**
     * Ends the body.
     *
     * @throws IllegalStateException if fewer bytes than announced were written; the connection is
     *     cut
     */
    @Override
    void close() throws IOException;
}
