package io.dedupstore.server.config;

/** The server must not start; the message says what is wrong, where it was set, and what to do. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What kind of mistake it is. */
    public enum Code {
        USAGE,
        UNKNOWN_KEY,
        BAD_VALUE,
        CONFLICT,
        UNREADABLE_FILE,
        UNWRITABLE_PATH
    }

    private final Code code;

    ConfigException(Code code, String message) {
        super(message);
        this.code = code;
    }

    ConfigException(Code code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public Code code() {
        return code;
    }
}
