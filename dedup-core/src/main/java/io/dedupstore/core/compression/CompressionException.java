package io.dedupstore.core.compression;

/** A stored chunk that its codec can't bring back, or a codec id from nowhere. */
public final class CompressionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public enum Code {
        /** No codec has this id or name. */
        UNKNOWN_CODEC,
        /** The declared length is outside the format or does not fit the codec. */
        BAD_LENGTH,
        /** The stored bytes are not what the codec wrote. */
        DAMAGED,
        /** The codec itself failed. */
        FAILED
    }

    private final Code code;

    CompressionException(Code code, String message) {
        super(message);
        this.code = code;
    }

    CompressionException(Code code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public Code code() {
        return code;
    }
}
