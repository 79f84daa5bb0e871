package io.dedupstore.core.sigv4;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A request that is not authentic, or a payload that is not what was signed. The message is meant
 * for the client. {@link #details()} are the extra elements of an S3 error document, in order.
 */
public final class SigV4Exception extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why a request was refused, with the S3 error code and status that say it. */
    public enum Reason {
        HEADER_MALFORMED("AuthorizationHeaderMalformed", 400),
        QUERY_PARAMETERS_MALFORMED("AuthorizationQueryParametersError", 400),
        EXPIRES_OUT_OF_RANGE("AuthorizationQueryParametersError", 400),
        UNSUPPORTED_MECHANISM("InvalidRequest", 400),
        UNSUPPORTED_SCHEME("InvalidArgument", 400),
        VERSION_2_MALFORMED("InvalidArgument", 400),
        VERSION_2_INCOMPLETE("AccessDenied", 403),
        MISSING_FORM_FIELD("InvalidArgument", 400),
        SEVERAL_MECHANISMS("InvalidArgument", 400),
        DUPLICATE_HEADER("InvalidRequest", 400),
        INVALID_URI("InvalidURI", 400),
        UNKNOWN_ACCESS_KEY("InvalidAccessKeyId", 403),
        INVALID_TOKEN("InvalidToken", 400),
        NO_AUTHENTICATION("AccessDenied", 403),
        EXPIRED_TOKEN("ExpiredToken", 400),
        MISSING_DATE("AccessDenied", 403),
        TIME_TOO_SKEWED("RequestTimeTooSkewed", 403),
        EXPIRED("AccessDenied", 403),
        NOT_YET_VALID("AccessDenied", 403),
        UNSIGNED_HEADERS("AccessDenied", 403),
        SIGNATURE_MISMATCH("SignatureDoesNotMatch", 403),
        ANONYMOUS_SIGNED_PAYLOAD("AccessDenied", 403),
        MISSING_PAYLOAD_HASH("InvalidRequest", 400),
        INVALID_PAYLOAD_HASH("InvalidArgument", 400),
        UNSUPPORTED_PAYLOAD_MODE("NotImplemented", 501),
        PAYLOAD_HASH_MISMATCH("XAmzContentSHA256Mismatch", 400),
        INVALID_DECODED_LENGTH("InvalidArgument", 400),
        INCOMPLETE_BODY("IncompleteBody", 400),
        MALFORMED_CHUNK("IncompleteBody", 400),
        INVALID_CHUNK_SIZE("InvalidChunkSizeError", 400),
        MALFORMED_TRAILER("MalformedTrailerError", 400),
        INVALID_TRAILER("InvalidRequest", 400);

        private final String s3Code;
        private final int httpStatus;

        Reason(String s3Code, int httpStatus) {
            this.s3Code = s3Code;
            this.httpStatus = httpStatus;
        }

        public String s3Code() {
            return s3Code;
        }

        public int httpStatus() {
            return httpStatus;
        }
    }

    private final Reason reason;
    private final transient Map<String, String> details;

    public SigV4Exception(Reason reason, String message) {
        this(reason, message, Map.of());
    }

    public SigV4Exception(Reason reason, String message, Map<String, String> details) {
        super(message);
        this.reason = reason;
        this.details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }

    public Reason reason() {
        return reason;
    }

    /** Element name to text, e.g. {@code StringToSign}, {@code Region}, {@code ServerTime}. */
    public Map<String, String> details() {
        return details;
    }
}
