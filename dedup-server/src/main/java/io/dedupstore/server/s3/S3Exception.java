package io.dedupstore.server.s3;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** An S3 error answer: code, message, the error document's extra elements, extra headers. */
public final class S3Exception extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final S3Error error;
    private final transient Map<String, String> fields = new LinkedHashMap<>();
    private final transient Map<String, String> headers = new LinkedHashMap<>();

    public S3Exception(S3Error error) {
        this(error, error.message());
    }

    public S3Exception(S3Error error, String message) {
        super(message);
        this.error = error;
    }

    public S3Exception(S3Error error, String message, Throwable cause) {
        super(message, cause);
        this.error = error;
    }

    public static S3Exception invalidArgument(String message, String name, String value) {
        return new S3Exception(S3Error.INVALID_ARGUMENT, message)
                .with("ArgumentName", name)
                .with("ArgumentValue", value);
    }

    public static S3Exception invalidRequest(String message) {
        return new S3Exception(S3Error.INVALID_REQUEST, message);
    }

    /** For a header whose meaning this server does not have, and must not silently ignore. */
    public static S3Exception notImplementedHeader(String header) {
        return new S3Exception(S3Error.NOT_IMPLEMENTED).with("Header", header);
    }

    public static S3Exception preconditionFailed(String condition) {
        return new S3Exception(S3Error.PRECONDITION_FAILED).with("Condition", condition);
    }

    /** Adds an element to the error document; before it is thrown. */
    public S3Exception with(String element, String text) {
        fields.put(element, text);
        return this;
    }

    /** Adds a header to the response; before it is thrown. */
    public S3Exception withHeader(String name, String value) {
        headers.put(name, value);
        return this;
    }

    public S3Error error() {
        return error;
    }

    public Map<String, String> fields() {
        return Collections.unmodifiableMap(fields);
    }

    public Map<String, String> headers() {
        return Collections.unmodifiableMap(headers);
    }
}
