package io.dedupstore.core.metadata;

/** A metadata shard refused a request, or its outcome is unknown. */
public final class MetadataException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why. Everything but {@code UNKNOWN} means: it has not taken effect and never will. */
    public enum Code {
        PRECONDITION_FAILED,
        /** If-Match on an object that is not there. */
        NO_SUCH_KEY,
        NO_SUCH_VERSION,
        /** What was asked for is not to be had of a delete marker. */
        IS_DELETE_MARKER,
        /** Retention or a legal hold forbids it. */
        LOCKED,
        NO_SUCH_BUCKET,
        NO_SUCH_UPLOAD,
        /** A part named at completion is not there (any more) as it was seen. */
        INVALID_PART,
        BUCKET_NOT_EMPTY,
        /** The source of a copy changed or went meanwhile: read it again. */
        SOURCE_CHANGED,
        /** More segments than a version may have. */
        TOO_MANY_SEGMENTS,
        /** This attempt was aborted. */
        ABORTED,
        QUOTA_EXCEEDED,
        /** No answer, or an answer that cannot tell whether an earlier copy took effect. */
        UNKNOWN
    }

    private final Code code;

    public MetadataException(Code code, String message) {
        super(message);
        this.code = code;
    }

    public MetadataException(Code code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public Code code() {
        return code;
    }
}
