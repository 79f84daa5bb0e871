package io.dedupstore.client.admin;

/** The server refused, or could not be reached. */
public final class AdminClientException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Code where no answer came. */
    public static final String UNREACHABLE = "unreachable";

    /** Code where the answer was not understood. */
    public static final String BAD_ANSWER = "bad-answer";

    private final String code;

    AdminClientException(String code, String message) {
        super(message);
        this.code = code;
    }

    AdminClientException(String code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** The server's code, or one of the constants. */
    public String code() {
        return code;
    }
}
