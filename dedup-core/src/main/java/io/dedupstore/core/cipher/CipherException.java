package io.dedupstore.core.cipher;

/** Bytes could not be sealed or opened. */
public final class CipherException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Code {
        /** They are not what was sealed, or not with this key. */
        DAMAGED,
        /** Their key is not at hand. */
        NO_KEY,
        /** They were sealed in a way that this release does not know. */
        UNKNOWN_CIPHER
    }

    private final Code code;

    public CipherException(Code code, String message) {
        super(message);
        this.code = code;
    }

    public CipherException(Code code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public Code code() {
        return code;
    }
}
