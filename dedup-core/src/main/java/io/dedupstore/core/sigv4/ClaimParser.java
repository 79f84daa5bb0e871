package io.dedupstore.core.sigv4;

import io.dedupstore.core.sigv4.SigV4Exception.Reason;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads the {@code Authorization} header. */
final class ClaimParser {
    static final String ALGORITHM = "AWS4-HMAC-SHA256";
    static final String CONTENT_SHA256 = "x-amz-content-sha256";

    private ClaimParser() {}

    static SignatureClaim parse(RequestHead head, String authorization) {
        String hash =
                head.header(CONTENT_SHA256)
                        .orElseThrow(
                                () ->
                                        new SigV4Exception(
                                                Reason.MISSING_PAYLOAD_HASH,
                                                "Missing required header for this request: "
                                                        + CONTENT_SHA256));
        return parse(head, authorization, hash);
    }

    /**
     * @param hash of the payload, as it is to be signed
     */
    static SignatureClaim parse(RequestHead head, String authorization, String hash) {
        Map<String, String> fields = fields(authorization);
        CredentialScope.Scoped credential =
                CredentialScope.parse(required(fields, "Credential"))
                        .orElseThrow(
                                () ->
                                        malformed(
                                                "the Credential is mal-formed; expecting"
                                                        + " \"<YOUR-AKID>/YYYYMMDD/REGION/SERVICE/"
                                                        + "aws4_request\"."));
        List<String> signedHeaders = signedHeaders(required(fields, "SignedHeaders"));
        String signature = required(fields, "Signature");
        Instant time = time(head);
        return new SignatureClaim(
                credential.accessKey(),
                credential.scope(),
                time,
                signedHeaders,
                signature,
                OptionalInt.empty(),
                hash,
                PayloadHeader.parse(hash));
    }

    /** Names in lower case, sorted; a name is never empty. */
    static List<String> signedHeaders(String text) {
        return Arrays.stream(text.toLowerCase(Locale.ROOT).split(";"))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .sorted()
                .distinct()
                .toList();
    }

    private static Map<String, String> fields(String authorization) {
        int space = authorization.indexOf(' ');
        String algorithm = space < 0 ? authorization : authorization.substring(0, space);
        if (!algorithm.startsWith("AWS")) {
            throw new SigV4Exception(
                    Reason.UNSUPPORTED_SCHEME,
                    "Unsupported Authorization Type",
                    Map.of("ArgumentName", "Authorization", "ArgumentValue", authorization));
        }
        if (!algorithm.equals(ALGORITHM)) {
            throw new SigV4Exception(
                    Reason.UNSUPPORTED_MECHANISM,
                    "The authorization mechanism you have provided is not supported."
                            + " Please use AWS4-HMAC-SHA256.");
        }
        Map<String, String> fields = new HashMap<>();
        for (String piece : authorization.substring(algorithm.length()).split(",", -1)) {
            String field = piece.strip();
            int equals = field.indexOf('=');
            if (equals <= 0) {
                throw malformed("expecting \"name=value\" parts that are separated by commas.");
            }
            String name = field.substring(0, equals);
            if (fields.put(name, field.substring(equals + 1)) != null) {
                throw malformed(name + " is repeated.");
            }
        }
        return fields;
    }

    private static String required(Map<String, String> fields, String name) {
        String value = fields.get(name);
        if (value == null || value.isEmpty()) {
            throw malformed("the authorization header requires " + name + ".");
        }
        return value;
    }

    private static Instant time(RequestHead head) {
        Optional<String> amzDate = head.header("x-amz-date");
        Optional<Instant> time =
                amzDate.isPresent()
                        ? amzDate.flatMap(Timestamps::parseBasic)
                        : head.header("date").flatMap(Timestamps::parseDateHeader);
        return time.orElseThrow(
                () ->
                        new SigV4Exception(
                                Reason.MISSING_DATE,
                                "AWS authentication requires a valid Date or x-amz-date header"));
    }

    static SigV4Exception malformed(String detail) {
        return new SigV4Exception(
                Reason.HEADER_MALFORMED, "The authorization header is malformed; " + detail);
    }
}
