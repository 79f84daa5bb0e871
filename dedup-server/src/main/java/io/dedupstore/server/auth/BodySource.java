package io.dedupstore.server.auth;

import io.dedupstore.core.io.ByteSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The payload of a request, without any framing, verified as far as the client signed it: nothing
 * may become visible before {@link #read} has returned -1. Blocking; one reader.
 */
public interface BodySource extends ByteSource {

    /** The payload's length where the client said it. */
    OptionalLong declaredLength();

    /**
     * Fills {@code dst} as far as it can, waiting for at least one byte.
     *
     * @return bytes put into {@code dst}, or -1 at the end of a payload that proved to be whole and
     *     genuine
     * @throws io.dedupstore.core.sigv4.SigV4Exception if the payload is not what was signed or is
     *     malformed
     * @throws IOException if the connection failed
     */
    @Override
    int read(ByteBuffer dst) throws IOException;

    /**
     * Trailing fields, names in lower case; known once {@link #read} has returned -1.
     *
     * @throws IllegalStateException before that
     */
    Map<String, String> trailers();
}
