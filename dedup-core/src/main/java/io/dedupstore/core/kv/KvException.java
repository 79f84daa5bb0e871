package io.dedupstore.core.kv;

/** The local store failed. */
public final class KvException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public KvException(String message, Throwable cause) {
        super(message, cause);
    }
}
