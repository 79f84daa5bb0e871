package io.dedupstore.server.admin;

import java.util.Locale;

/** A request that is refused, with what to do about it. */
public final class AdminException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why, with the HTTP status it is answered with. */
    public enum Code {
        INVALID_REQUEST(400, "Invalid request"),
        UNAUTHORIZED(401, "A token is needed"),
        NOT_FOUND(404, "Not found"),
        METHOD_NOT_ALLOWED(405, "Method not allowed"),
        CONFLICT(409, "Conflict"),
        TOO_LARGE(413, "Request too large"),
        INTERNAL(500, "Internal error"),
        UNAVAILABLE(503, "Unavailable");

        private final int status;
        private final String title;

        Code(int status, String title) {
            this.status = status;
            this.title = title;
        }

        int status() {
            return status;
        }

        String title() {
            return title;
        }

        /** For programs: {@code invalid-request}. */
        String wireName() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private final Code code;

    public AdminException(Code code, String message) {
        super(message);
        this.code = code;
    }

    public AdminException(Code code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public Code code() {
        return code;
    }
}
