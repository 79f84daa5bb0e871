package io.dedupstore.core.container;

/** Bytes of a container are not what the format says. */
public final class ContainerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Code {
        /** A completed read gave bytes that do not verify. */
        DAMAGED,
        /** Written by a newer release; nothing of it may be changed. */
        UNSUPPORTED,
        /** An append of a closed epoch. */
        STALE
    }

    private final Code code;

    ContainerException(Code code, String message) {
        super(message);
        this.code = code;
    }

    public Code code() {
        return code;
    }
}
