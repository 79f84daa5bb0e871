package io.dedupstore.core.sigv4;

import io.dedupstore.core.sigv4.SigV4Exception.Reason;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** Reads the parameters of a presigned URL. */
final class PresignedQuery {
    static final String ALGORITHM = "X-Amz-Algorithm";
    static final String CREDENTIAL = "X-Amz-Credential";
    static final String DATE = "X-Amz-Date";
    static final String EXPIRES = "X-Amz-Expires";
    static final String SIGNED_HEADERS = "X-Amz-SignedHeaders";
    static final String SIGNATURE = "X-Amz-Signature";
    static final String SECURITY_TOKEN = "X-Amz-Security-Token";
    static final String CONTENT_SHA256 = "X-Amz-Content-Sha256";
    static final int MAX_EXPIRES_SECONDS = 604_800;

    private static final List<String> REQUIRED =
            List.of(ALGORITHM, CREDENTIAL, DATE, EXPIRES, SIGNED_HEADERS, SIGNATURE);
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,18}");

    private PresignedQuery() {}

    /**
     * Any one of the parameters makes it a presigned request, so that a mangled URL is not
     * anonymous.
     */
    static boolean isPresigned(QueryString query) {
        return query.contains(ALGORITHM) || query.contains(CREDENTIAL) || query.contains(SIGNATURE);
    }

    static SignatureClaim parse(RequestHead head, QueryString query) {
        if (!REQUIRED.stream().allMatch(name -> query.single(name).isPresent())) {
            throw malformed(
                    "Query-string authentication version 4 requires the X-Amz-Algorithm,"
                            + " X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders,"
                            + " and X-Amz-Expires parameters.");
        }
        if (!value(query, ALGORITHM).equals(ClaimParser.ALGORITHM)) {
            throw malformed("X-Amz-Algorithm only supports \"AWS4-HMAC-SHA256\"");
        }
        CredentialScope.Scoped credential =
                CredentialScope.parse(value(query, CREDENTIAL))
                        .orElseThrow(
                                () ->
                                        malformed(
                                                "Error parsing the X-Amz-Credential parameter; the"
                                                        + " Credential is mal-formed; expecting"
                                                        + " \"<YOUR-AKID>/YYYYMMDD/REGION/SERVICE/"
                                                        + "aws4_request\"."));
        Instant time =
                Timestamps.parseBasic(value(query, DATE))
                        .orElseThrow(
                                () ->
                                        malformed(
                                                "X-Amz-Date must be in the ISO8601 Long Format"
                                                        + " \"yyyyMMdd'T'HHmmss'Z'\""));
        String hash =
                head.header(ClaimParser.CONTENT_SHA256)
                        .or(() -> query.single(CONTENT_SHA256))
                        .orElse(PayloadMode.UNSIGNED_PAYLOAD);
        return new SignatureClaim(
                credential.accessKey(),
                credential.scope(),
                time,
                ClaimParser.signedHeaders(value(query, SIGNED_HEADERS)),
                value(query, SIGNATURE),
                OptionalInt.of(expires(value(query, EXPIRES))),
                hash,
                PayloadHeader.parse(hash));
    }

    private static String value(QueryString query, String name) {
        return query.single(name).orElseThrow();
    }

    private static int expires(String text) {
        if (!NUMBER.matcher(text).matches()) {
            throw outOfRange("X-Amz-Expires should be a number");
        }
        long seconds = Long.parseLong(text);
        if (seconds < 1) {
            throw outOfRange("X-Amz-Expires must be positive");
        }
        if (seconds > MAX_EXPIRES_SECONDS) {
            throw outOfRange(
                    "X-Amz-Expires must be less than a week (in seconds); that is, the given"
                            + " X-Amz-Expires must be less than 604800 seconds");
        }
        return (int) seconds;
    }

    private static SigV4Exception malformed(String message) {
        return new SigV4Exception(Reason.QUERY_PARAMETERS_MALFORMED, message);
    }

    private static SigV4Exception outOfRange(String message) {
        return new SigV4Exception(Reason.EXPIRES_OUT_OF_RANGE, message);
    }
}
