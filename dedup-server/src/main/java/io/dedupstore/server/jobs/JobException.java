package io.dedupstore.server.jobs;

/** A job that was not started. */
public final class JobException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Code {
        /** One of that kind is running. */
        RUNNING,
        /** The process is ending. */
        CLOSED
    }

    private final Code code;

    JobException(Code code, String message) {
        super(message);
        this.code = code;
    }

    public Code code() {
        return code;
    }
}
