package io.dedupstore.core.io;

import java.io.IOException;

/** The file system (or a quota on it) is full. */
public final class NoSpaceException extends IOException {
    private static final long serialVersionUID = 1L;

    public NoSpaceException(String message, Throwable cause) {
        super(message, cause);
    }

    public NoSpaceException(String message) {
        super(message);
    }
}
