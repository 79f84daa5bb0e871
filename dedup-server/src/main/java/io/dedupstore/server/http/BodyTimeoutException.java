package io.dedupstore.server.http;

import java.io.IOException;

/**
 * The client sent its body slower than the server is willing to wait. A response can still be sent.
 */
public final class BodyTimeoutException extends IOException {
    private static final long serialVersionUID = 1L;

    public BodyTimeoutException(String message) {
        super(message);
    }
}
