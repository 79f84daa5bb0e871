package io.dedupstore.server.http;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The request body as it comes from the connection, without HTTP's chunked framing (an {@code
 * aws-chunked} framing inside is not its business). Blocking; one reader.
 */
public interface RequestBody extends AutoCloseable {

    /** The Content-Length; 0 when there is no body, -1 when it is chunked and so not known. */
    long declaredLength();

    /**
     * Copies what is available into {@code dst}, waiting until there is at least one byte.
     *
     * @return bytes copied; -1 at the end of the body; 0 only if {@code dst} has no room
     * @throws ClientAbortException if the client closed or reset the connection before the end
     * @throws BodyTimeoutException if the client sent too little for too long
     */
    int read(ByteBuffer dst) throws IOException;

    /**
     * Reads and drops up to {@code maxBytes} of what is left.
     *
     * @return true if the end of the body was reached
     */
    boolean drain(long maxBytes) throws IOException;

    /** Gives back what is buffered. What is still to come is drained or the connection closed. */
    @Override
    void close();
}
