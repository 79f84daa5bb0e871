package io.dedupstore.core.control;

/** The control group refused a request, or its outcome is unknown. */
public final class ControlException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Code {
        BUCKET_EXISTS_OWNED_BY_YOU,
        BUCKET_EXISTS,
        NO_SUCH_BUCKET,
        TOO_MANY_BUCKETS,
        STALE_SESSION,
        NO_SUCH_ACCOUNT,
        ACCOUNT_EXISTS,
        /** The access key belongs to another account. */
        ACCESS_KEY_EXISTS,
        NO_SUCH_KEY,
        KEY_EXISTS,
        KEY_DISABLED,
        /** The key was rotated while something was wrapped with it: try again. */
        KEY_CHANGED,
        NO_SUCH_IDENTITY,
        IDENTITY_EXISTS,
        /** Read it again and change what there is now. */
        IDENTITY_CHANGED,
        /** The state of the cluster does not allow it; the message says why. */
        REFUSED,
        /** The group took no commands; nothing was done. */
        UNAVAILABLE,
        /** No answer came: it may have been done, or be done later. */
        UNKNOWN
    }

    private final Code code;

    public ControlException(Code code, String message) {
        super(message);
        this.code = code;
    }

    public Code code() {
        return code;
    }
}
