package io.dedupstore.core.kv;

/** The local store failed or cannot be used. */
public final class KvException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Code {
        /** The disk or the store's files failed: the store must be given up. */
        FAILED,
        /**
         * Some rows cannot be read: a checksum does not match, or the drive does not give them.
         * What else the store holds can be read and written.
         */
        DAMAGED,
        /** The store was closed, or is being closed. */
        CLOSED,
        /** The store holds what this release does not know. */
        INCOMPATIBLE
    }

    private final Code code;

    public KvException(String message, Throwable cause) {
        super(message, cause);
        this.code = Code.FAILED;
    }

    public KvException(Code code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public KvException(Code code, String message) {
        super(message);
        this.code = code;
    }

    public Code code() {
        return code;
    }

    /** For whoever can live without a row: throws this, unless it tells of damage. */
    public void requireDamage() {
        if (code != Code.DAMAGED) {
            throw this;
        }
    }
}
