package io.dedupstore.core.object;

/** A body could not be written or read. */
public final class ObjectStoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Code {
        /** All memory for requests is in use. */
        SLOW_DOWN,
        /** No room on any drive. */
        FULL,
        /** Too few storage nodes could take or give the bytes now. */
        UNAVAILABLE,
        /** This gateway's session has ended: nothing it writes can be committed. */
        STALE,
        /** The bytes were freed after the metadata had been read: read it again. */
        GONE,
        /** The bytes are not what was written. */
        DAMAGED
    }

    private final Code code;

    public ObjectStoreException(Code code, String message) {
        super(message);
        this.code = code;
    }

    public ObjectStoreException(Code code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public Code code() {
        return code;
    }
}
