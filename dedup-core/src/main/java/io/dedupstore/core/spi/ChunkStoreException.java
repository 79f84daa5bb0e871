package io.dedupstore.core.spi;

/** Storing or reading chunks failed. */
public final class ChunkStoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Code {
        /** No room on any drive. */
        FULL,
        /** No storage node (or too few) could take or give the bytes now. */
        UNAVAILABLE,
        /** The session's epoch is closed: nothing it appends counts any more. */
        STALE,
        /** The slot was freed: whoever named it must read the metadata again. */
        GONE,
        /** The bytes were read and are not what was written. */
        DAMAGED
    }

    private final Code code;

    public ChunkStoreException(Code code, String message) {
        super(message);
        this.code = code;
    }

    public ChunkStoreException(Code code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public Code code() {
        return code;
    }
}
