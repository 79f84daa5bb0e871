package io.dedupstore.core.state;

/** A Raft group gave no reply. */
public final class ReplicationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What is known of the command. */
    public enum Code {
        /** It was not accepted and will not be applied. */
        NOT_ACCEPTED,
        /** It may be applied, now or later. */
        UNKNOWN
    }

    private final Code code;

    public ReplicationException(Code code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public ReplicationException(Code code, String message) {
        super(message);
        this.code = code;
    }

    public Code code() {
        return code;
    }
}
