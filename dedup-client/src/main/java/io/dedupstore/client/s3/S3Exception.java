package io.dedupstore.client.s3;

/** An S3 server refused, or could not be reached. */
public final class S3Exception extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public enum Code {
        /** No answer, also after repeated tries. */
        UNREACHABLE,
        /** What answers is not an S3 server. */
        NOT_S3,
        NO_SUCH_BUCKET,
        /** Deleted or replaced since it was listed. */
        OBJECT_GONE,
        ACCESS_DENIED,
        /** The bucket is in another region. */
        WRONG_REGION,
        /** Any other refusal. */
        REFUSED
    }

    private final Code code;

    S3Exception(Code code, String message) {
        super(message);
        this.code = code;
    }

    S3Exception(Code code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public Code code() {
        return code;
    }
}
