package io.dedupstore.client.estimate;

/** An estimate that could not be made. */
public final class EstimateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public enum Code {
        /** Options that contradict each other or are out of range. */
        BAD_OPTIONS,
        /** Nothing of the data could be read. */
        UNREADABLE,
        /** A worker failed for another reason than its input. */
        FAILED
    }

    private final Code code;

    EstimateException(Code code, String message) {
        super(message);
        this.code = code;
    }

    EstimateException(Code code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public Code code() {
        return code;
    }
}
