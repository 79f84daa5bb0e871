package io.dedupstore.server.http;

import java.io.IOException;

/**
 * The HTTP framing of a request body is broken. A response can still be sent; the connection
 * closes.
 */
public final class MalformedBodyException extends IOException {
    private static final long serialVersionUID = 1L;

    public MalformedBodyException(String message) {
        super(message);
    }
}
