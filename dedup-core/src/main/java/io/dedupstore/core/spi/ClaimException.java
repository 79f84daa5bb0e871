package io.dedupstore.core.spi;

/** A CLAIM that brought no answers. */
public final class ClaimException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Code {
        /**
         * The epoch of V is closed here, or V has been settled: nothing was changed, nothing ever
         * will be.
         */
        REFUSED,
        /** No answer came; the claim may take effect at any later time. */
        UNKNOWN
    }

    private final Code code;

    public ClaimException(Code code, String message) {
        super(message);
        this.code = code;
    }

    public Code code() {
        return code;
    }
}
