package io.dedupstore.server.http;

import java.io.IOException;

/** The client closed or reset the connection, or took too long to take its response. */
public final class ClientAbortException extends IOException {
    private static final long serialVersionUID = 1L;

    public ClientAbortException(String message) {
        super(message);
    }

    public ClientAbortException(String message, Throwable cause) {
        super(message, cause);
    }
}
