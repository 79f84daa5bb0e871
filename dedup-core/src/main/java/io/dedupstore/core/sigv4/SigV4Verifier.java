package io.dedupstore.core.sigv4;

import io.dedupstore.core.sigv4.SigV4Exception.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Verifies request heads. Two steps, since the secret must be looked up between them: {@link
 * #parse} says whose signature a head claims to carry, {@link #verify} whether it does. Keeps
 * derived signing keys; safe for many threads.
 */
public final class SigV4Verifier {
    public static final Duration MAX_SKEW = Duration.ofMinutes(15);

    private static final Set<String> S3 = Set.of("s3");
    private static final byte[] NO_SECRET = new byte[40];
    private static final Set<String> ONCE =
            Set.of(
                    "authorization",
                    "host",
                    "date",
                    "x-amz-date",
                    "x-amz-content-sha256",
                    "x-amz-decoded-content-length",
                    "x-amz-security-token",
                    "x-amz-trailer");

    private final Optional<String> region;
    private final Set<String> services;
    private final SigningKeys keys = new SigningKeys();

    /**
     * @param region the only region accepted in credential scopes
     */
    public SigV4Verifier(String region) {
        if (region.isEmpty()) {
            throw new IllegalArgumentException("the region must not be empty");
        }
        this.region = Optional.of(region);
        this.services = S3;
    }

    private SigV4Verifier(Set<String> services) {
        this.region = Optional.empty();
        this.services = Set.copyOf(services);
    }

    /** For services that know no regions: any may be named. */
    public static SigV4Verifier ofServices(Set<String> services) {
        return new SigV4Verifier(services);
    }

    /**
     * As {@link #parse}, where the head need not say what the body's hash is.
     *
     * @param bodyHash of the body that came, in hex
     */
    public Optional<SignatureClaim> parseWithBody(RequestHead head, String bodyHash) {
        rejectRepeated(head);
        return head.header("authorization")
                .filter(value -> !value.isBlank())
                .map(value -> ClaimParser.parse(head, value, bodyHash));
    }

    /**
     * The claim a head makes; empty if it makes none, which is an anonymous request.
     *
     * @throws SigV4Exception if the head tries to authenticate but not in a way that is understood
     */
    public Optional<SignatureClaim> parse(RequestHead head) {
        rejectRepeated(head);
        QueryString query = QueryString.parse(head.rawQuery());
        Optional<String> authorization =
                head.header("authorization").filter(value -> !value.isBlank());
        boolean presigned = PresignedQuery.isPresigned(query);
        if (authorization.isPresent() && (presigned || isVersion2(query))) {
            throw new SigV4Exception(
                    Reason.SEVERAL_MECHANISMS,
                    "Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter,"
                            + " Signature query string parameter or the Authorization header should"
                            + " be specified");
        }
        if (presigned) {
            return Optional.of(PresignedQuery.parse(head, query));
        }
        if (isVersion2(query)) {
            throw new SigV4Exception(
                    Reason.UNSUPPORTED_MECHANISM,
                    "The authorization mechanism you have provided is not supported."
                            + " Please use AWS4-HMAC-SHA256.");
        }
        return authorization.map(value -> ClaimParser.parse(head, value));
    }

    /**
     * Verifies a claim. A head whose access key is unknown costs as much as one with a wrong
     * signature.
     *
     * @param secret the claimed access key's secret; empty if there is no such key
     * @return what chunk signatures continue from
     * @throws SigV4Exception if the claim does not hold
     */
    public SigningContext verify(
            RequestHead head, SignatureClaim claim, Optional<byte[]> secret, Instant now) {
        requireScope(claim);
        requireTime(claim, now);
        requireSameDay(claim);
        requireSigned(head, claim);
        byte[] key =
                keys.get(
                        secret.isPresent() ? claim.accessKey() : "",
                        secret.orElse(NO_SECRET),
                        claim.scope());
        boolean genuine = matches(head, claim, key);
        if (secret.isEmpty()) {
            throw new SigV4Exception(
                    Reason.UNKNOWN_ACCESS_KEY,
                    "The AWS Access Key Id you provided does not exist in our records.",
                    Map.of("AWSAccessKeyId", claim.accessKey()));
        }
        if (!genuine) {
            throw mismatch(head, claim);
        }
        return new SigningContext(
                key, Timestamps.basic(claim.time()), claim.scope().text(), claim.signature());
    }

    /** What an unauthenticated head says about its payload; unsigned if it says nothing. */
    public static PayloadMode anonymousPayloadMode(RequestHead head) {
        PayloadMode mode =
                head.header(ClaimParser.CONTENT_SHA256)
                        .map(PayloadHeader::parse)
                        .orElse(new PayloadMode.Unsigned());
        return switch (mode) {
            case PayloadMode.StreamingSigned signed -> throw unsignedHead();
            case PayloadMode.StreamingSignedTrailer signed -> throw unsignedHead();
            case PayloadMode.SignedHash hash -> mode;
            case PayloadMode.Unsigned unsigned -> mode;
            case PayloadMode.StreamingUnsignedTrailer unsigned -> mode;
        };
    }

    private static SigV4Exception unsignedHead() {
        return new SigV4Exception(
                Reason.ANONYMOUS_SIGNED_PAYLOAD,
                "A payload with signed chunks needs a signed request.");
    }

    private static void rejectRepeated(RequestHead head) {
        for (String name : ONCE) {
            if (head.headerValues(name).size() > 1) {
                throw new SigV4Exception(
                        Reason.DUPLICATE_HEADER, "Header " + name + " must not be repeated.");
            }
        }
    }

    private static boolean isVersion2(QueryString query) {
        return query.contains("AWSAccessKeyId") && query.contains("Signature");
    }

    private void requireScope(SignatureClaim claim) {
        CredentialScope scope = claim.scope();
        String expected = region.orElse(scope.region());
        if (!scope.region().equals(expected)) {
            throw wrongScope(
                    claim,
                    "the region '" + scope.region() + "' is wrong; expecting '" + expected + "'",
                    Map.of("Region", expected));
        }
        if (!services.contains(scope.service())) {
            throw wrongScope(
                    claim,
                    "incorrect service \""
                            + scope.service()
                            + "\". This endpoint belongs to \"s3\".",
                    Map.of());
        }
    }

    private static void requireSameDay(SignatureClaim claim) {
        CredentialScope scope = claim.scope();
        if (!scope.date().equals(Timestamps.day(claim.time()))) {
            throw wrongScope(
                    claim,
                    "Invalid credential date \""
                            + scope.date()
                            + "\". This date is not the same as X-Amz-Date: \""
                            + Timestamps.day(claim.time())
                            + "\".",
                    Map.of());
        }
    }

    private static SigV4Exception wrongScope(
            SignatureClaim claim, String detail, Map<String, String> details) {
        return claim.presigned()
                ? new SigV4Exception(
                        Reason.QUERY_PARAMETERS_MALFORMED,
                        "Error parsing the X-Amz-Credential parameter; " + detail,
                        details)
                : new SigV4Exception(
                        Reason.HEADER_MALFORMED,
                        "The authorization header is malformed; " + detail,
                        details);
    }

    private static void requireTime(SignatureClaim claim, Instant now) {
        if (claim.presigned()) {
            requireValidNow(claim, now);
        } else if (Duration.between(claim.time(), now).abs().compareTo(MAX_SKEW) > 0) {
            Map<String, String> details = new LinkedHashMap<>();
            details.put("RequestTime", Timestamps.basic(claim.time()));
            details.put("ServerTime", Timestamps.iso(now));
            details.put("MaxAllowedSkewMilliseconds", Long.toString(MAX_SKEW.toMillis()));
            throw new SigV4Exception(
                    Reason.TIME_TOO_SKEWED,
                    "The difference between the request time and the current time is too large.",
                    details);
        }
    }

    private static void requireValidNow(SignatureClaim claim, Instant now) {
        int seconds = claim.expiresSeconds().orElseThrow();
        Instant expires = claim.time().plusSeconds(seconds);
        if (now.isBefore(claim.time().minus(MAX_SKEW))) {
            throw new SigV4Exception(
                    Reason.NOT_YET_VALID,
                    "Request is not valid yet",
                    Map.of("ServerTime", Timestamps.iso(now)));
        }
        if (now.isAfter(expires)) {
            Map<String, String> details = new LinkedHashMap<>();
            details.put("X-Amz-Expires", Integer.toString(seconds));
            details.put("Expires", Timestamps.iso(expires));
            details.put("ServerTime", Timestamps.iso(now));
            throw new SigV4Exception(Reason.EXPIRED, "Request has expired", details);
        }
    }

    /** The host and every x-amz header must be under the signature, or a proxy could add them. */
    private static void requireSigned(RequestHead head, SignatureClaim claim) {
        List<String> unsigned =
                head.headers().stream()
                        .map(Map.Entry::getKey)
                        .filter(name -> name.equals("host") || name.startsWith("x-amz-"))
                        .distinct()
                        .filter(name -> !claim.signedHeaders().contains(name))
                        .toList();
        if (!unsigned.isEmpty() || !claim.signedHeaders().contains("host")) {
            throw new SigV4Exception(
                    Reason.UNSIGNED_HEADERS,
                    "There were headers present in the request which were not signed",
                    Map.of(
                            "HeadersNotSigned",
                            unsigned.isEmpty() ? "host" : String.join(", ", unsigned)));
        }
    }

    private static boolean matches(RequestHead head, SignatureClaim claim, byte[] key) {
        boolean complete =
                claim.signedHeaders().stream().allMatch(name -> head.header(name).isPresent());
        String timestamp = Timestamps.basic(claim.time());
        boolean matched = false;
        for (String candidate :
                CanonicalRequest.candidates(head, claim.signedHeaders(), claim.payloadHash())) {
            String text = CanonicalRequest.stringToSign(timestamp, claim.scope(), candidate);
            matched |= Hmac.matches(Hmac.sign(key, text), claim.signature());
            if (matched) {
                break;
            }
        }
        return matched && complete;
    }

    private static SigV4Exception mismatch(RequestHead head, SignatureClaim claim) {
        String canonical =
                CanonicalRequest.candidates(head, claim.signedHeaders(), claim.payloadHash())
                        .getFirst();
        String stringToSign =
                CanonicalRequest.stringToSign(
                        Timestamps.basic(claim.time()), claim.scope(), canonical);
        Map<String, String> details = new LinkedHashMap<>();
        details.put("AWSAccessKeyId", claim.accessKey());
        details.put("StringToSign", stringToSign);
        details.put("SignatureProvided", claim.signature());
        details.put("StringToSignBytes", bytes(stringToSign));
        details.put("CanonicalRequest", canonical);
        details.put("CanonicalRequestBytes", bytes(canonical));
        return new SigV4Exception(
                Reason.SIGNATURE_MISMATCH,
                "The request signature we calculated does not match the signature you provided."
                        + " Check your key and signing method.",
                details);
    }

    private static String bytes(String text) {
        StringBuilder out = new StringBuilder(text.length() * 3);
        for (int i = 0; i < text.length(); i++) {
            out.append(i == 0 ? "" : " ").append(String.format("%02x", (int) text.charAt(i)));
        }
        return out.toString();
    }

    /** The token that makes a temporary key whole, from the header or a presigned query. */
    public static Optional<String> securityToken(RequestHead head) {
        return head.header("x-amz-security-token")
                .or(() -> QueryString.parse(head.rawQuery()).single(PresignedQuery.SECURITY_TOKEN))
                .filter(token -> !token.isEmpty());
    }
}
