package io.dedupstore.core.sigv4;

import io.dedupstore.core.sigv4.SigV4Exception.Reason;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Verifies signatures of version 2, which old tools make: an HMAC-SHA1 over the method, a few
 * headers, the {@code x-amz-} headers, the path and the sub-resources. It covers neither the host
 * nor the payload nor other parameters, which is why it has to be switched on. Safe for many
 * threads.
 */
public final class SigV2Verifier {
    private static final String SCHEME = "AWS ";
    private static final byte[] NO_SECRET = new byte[40];

    /** The parameters that a signature covers. */
    private static final Set<String> SIGNED_PARAMETERS =
            Set.of(
                    "accelerate",
                    "acl",
                    "analytics",
                    "attributes",
                    "cors",
                    "defaultObjectAcl",
                    "delete",
                    "encryption",
                    "intelligent-tiering",
                    "inventory",
                    "legal-hold",
                    "lifecycle",
                    "location",
                    "logging",
                    "metrics",
                    "notification",
                    "object-lock",
                    "ownershipControls",
                    "partNumber",
                    "policy",
                    "policyStatus",
                    "publicAccessBlock",
                    "replication",
                    "requestPayment",
                    "response-cache-control",
                    "response-content-disposition",
                    "response-content-encoding",
                    "response-content-language",
                    "response-content-type",
                    "response-expires",
                    "restore",
                    "retention",
                    "select",
                    "select-type",
                    "storageClass",
                    "tagging",
                    "torrent",
                    "uploadId",
                    "uploads",
                    "versionId",
                    "versioning",
                    "versions",
                    "website");

    /** Parameters that are not in old clients' lists; some sign them all the same. */
    private static final Set<String> NEWER_PARAMETERS =
            Set.of(
                    "attributes",
                    "encryption",
                    "intelligent-tiering",
                    "legal-hold",
                    "ownershipControls",
                    "policyStatus",
                    "publicAccessBlock",
                    "retention");

    private final Function<RequestHead, Optional<String>> bucketOfHost;

    /**
     * @param bucketOfHost the bucket that a request names in its host
     */
    public SigV2Verifier(Function<RequestHead, Optional<String>> bucketOfHost) {
        this.bucketOfHost = bucketOfHost;
    }

    /**
     * Whose signature a head claims to carry.
     *
     * @param expires seconds since 1970, of a URL that was signed beforehand
     */
    public record Claim(String accessKey, String signature, OptionalLong expires) {
        public boolean presigned() {
            return expires.isPresent();
        }
    }

    /**
     * @return empty if the head carries no signature of this version
     * @throws SigV4Exception if it does but not in a way that is understood
     */
    public Optional<Claim> parse(RequestHead head) {
        QueryString query = QueryString.parse(head.rawQuery());
        boolean presigned = query.contains("AWSAccessKeyId") || query.contains("Signature");
        Optional<String> header =
                head.header("authorization").filter(value -> value.startsWith(SCHEME));
        if (header.isPresent()) {
            if (head.headerValues("authorization").size() > 1 || presigned) {
                throw new SigV4Exception(
                        Reason.SEVERAL_MECHANISMS, "Only one auth mechanism allowed");
            }
            return Optional.of(ofHeader(header.get()));
        }
        return presigned && head.header("authorization").isEmpty()
                ? Optional.of(ofQuery(query))
                : Optional.empty();
    }

    private static Claim ofHeader(String value) {
        String rest = value.substring(SCHEME.length()).strip();
        int colon = rest.lastIndexOf(':');
        if (colon <= 0 || colon == rest.length() - 1) {
            throw new SigV4Exception(
                    Reason.VERSION_2_MALFORMED,
                    "AWS authorization header is invalid.  Expected AwsAccessKeyId:signature",
                    Map.of("ArgumentName", "Authorization", "ArgumentValue", value));
        }
        return new Claim(rest.substring(0, colon), rest.substring(colon + 1), OptionalLong.empty());
    }

    private static Claim ofQuery(QueryString query) {
        String accessKey = query.single("AWSAccessKeyId").orElse("");
        String signature = query.single("Signature").orElse("");
        String expires = query.single("Expires").orElse("");
        if (accessKey.isEmpty() || signature.isEmpty() || expires.isEmpty()) {
            throw new SigV4Exception(
                    Reason.VERSION_2_INCOMPLETE,
                    "Query-string authentication requires the Signature, Expires and"
                            + " AWSAccessKeyId parameters");
        }
        try {
            return new Claim(accessKey, signature, OptionalLong.of(Long.parseLong(expires)));
        } catch (NumberFormatException e) {
            throw new SigV4Exception(
                    Reason.VERSION_2_INCOMPLETE,
                    "Invalid date (should be seconds since epoch): " + expires);
        }
    }

    /**
     * @param secret empty if the access key is unknown, which costs as much as a wrong signature
     * @throws SigV4Exception if the claim does not hold
     */
    public void verify(RequestHead head, Claim claim, Optional<byte[]> secret, Instant now) {
        requireTime(head, claim, now);
        byte[] key = secret.orElse(NO_SECRET);
        boolean genuine =
                stringsToSign(head, claim).stream()
                        .map(text -> matches(key, text, claim.signature()))
                        .reduce(false, Boolean::logicalOr);
        if (secret.isEmpty()) {
            throw unknown(claim.accessKey());
        }
        if (!genuine) {
            throw mismatch(
                    claim.accessKey(), stringsToSign(head, claim).getFirst(), claim.signature());
        }
    }

    /**
     * Verifies a browser's form, whose policy is what was signed.
     *
     * @param secret empty if the access key is unknown
     */
    public static void verifyForm(
            String accessKey, String policyBase64, String signature, Optional<byte[]> secret) {
        boolean genuine = matches(secret.orElse(NO_SECRET), policyBase64, signature);
        if (secret.isEmpty()) {
            throw unknown(accessKey);
        }
        if (!genuine) {
            throw mismatch(accessKey, policyBase64, signature);
        }
    }

    private static void requireTime(RequestHead head, Claim claim, Instant now) {
        if (claim.expires().isPresent()) {
            long expires = claim.expires().getAsLong();
            if (now.getEpochSecond() > expires) {
                throw new SigV4Exception(
                        Reason.EXPIRED,
                        "Request has expired",
                        Map.of("ServerTime", Timestamps.iso(now)));
            }
            return;
        }
        Optional<String> text = head.header("x-amz-date").or(() -> head.header("date"));
        Instant time =
                text.flatMap(Timestamps::parseDateHeader)
                        .orElseThrow(
                                () ->
                                        new SigV4Exception(
                                                Reason.MISSING_DATE,
                                                "AWS authentication requires a valid Date or"
                                                        + " x-amz-date header"));
        if (time.getEpochSecond() < 0) {
            throw new SigV4Exception(
                    Reason.MISSING_DATE,
                    "AWS authentication requires a valid Date or x-amz-date header");
        }
        if (Duration.between(time, now).abs().compareTo(SigV4Verifier.MAX_SKEW) > 0) {
            Map<String, String> details = new LinkedHashMap<>();
            details.put("RequestTime", text.orElse(""));
            details.put("ServerTime", Timestamps.iso(now));
            details.put(
                    "MaxAllowedSkewMilliseconds", Long.toString(SigV4Verifier.MAX_SKEW.toMillis()));
            throw new SigV4Exception(
                    Reason.TIME_TOO_SKEWED,
                    "The difference between the request time and the current time is too large.",
                    details);
        }
    }

    /** What clients sign, which differs in the parameters they know. */
    private List<String> stringsToSign(RequestHead head, Claim claim) {
        QueryString query = QueryString.parse(head.rawQuery());
        Map<String, String> amz = amzHeaders(head, query, claim.presigned());
        String date =
                claim.expires().isPresent()
                        ? Long.toString(claim.expires().getAsLong())
                        : amz.containsKey("x-amz-date") ? "" : head.header("date").orElse("");
        String start =
                String.join(
                        "\n",
                        head.method(),
                        covered(head, query, claim, "content-md5"),
                        covered(head, query, claim, "content-type"),
                        date,
                        "");
        String headers =
                amz.entrySet().stream()
                        .map(entry -> entry.getKey() + ":" + entry.getValue() + "\n")
                        .collect(Collectors.joining());
        String path =
                bucketOfHost.apply(head).map(bucket -> "/" + bucket).orElse("") + head.rawPath();
        List<String> texts = new ArrayList<>();
        for (String form : paths(path)) {
            texts.add(start + headers + form + parameters(query, true));
            texts.add(start + headers + form + parameters(query, false));
        }
        return texts;
    }

    /** Some clients sign a bucket's path as if it ended with a slash. */
    private static List<String> paths(String path) {
        boolean ofBucket = path.length() > 1 && path.indexOf('/', 1) < 0;
        return ofBucket ? List.of(path, path + "/") : List.of(path);
    }

    private static String covered(RequestHead head, QueryString query, Claim claim, String name) {
        return head.header(name)
                .or(() -> claim.presigned() ? query.single(name) : Optional.empty())
                .orElse("");
    }

    /** Sorted; those that a presigned URL has among its parameters count as well. */
    private static Map<String, String> amzHeaders(
            RequestHead head, QueryString query, boolean presigned) {
        Map<String, String> found = new TreeMap<>();
        head.headers()
                .forEach(
                        header -> {
                            if (header.getKey().startsWith("x-amz-")) {
                                found.merge(
                                        header.getKey(),
                                        header.getValue()
                                                .strip()
                                                .replaceAll("\\s*\\r?\\n\\s+", " "),
                                        (first, second) -> first + "," + second);
                            }
                        });
        if (presigned) {
            query.parameters()
                    .forEach(
                            parameter -> {
                                String name = parameter.name().toLowerCase(Locale.ROOT);
                                if (name.startsWith("x-amz-")) {
                                    found.putIfAbsent(name, parameter.value());
                                }
                            });
        }
        return found;
    }

    private static String parameters(QueryString query, boolean newer) {
        List<String> signed =
                query.parameters().stream()
                        .filter(parameter -> SIGNED_PARAMETERS.contains(parameter.name()))
                        .filter(parameter -> newer || !NEWER_PARAMETERS.contains(parameter.name()))
                        .map(
                                parameter ->
                                        parameter.value().isEmpty()
                                                ? parameter.name()
                                                : parameter.name() + "=" + parameter.value())
                        .sorted()
                        .toList();
        return signed.isEmpty() ? "" : "?" + String.join("&", signed);
    }

    /** Compares in constant time; the claimed value may be anything. */
    private static boolean matches(byte[] secret, String text, String signature) {
        byte[] expected = Hmac.signVersion2(secret, text);
        try {
            return MessageDigest.isEqual(expected, Base64.getDecoder().decode(signature));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static SigV4Exception unknown(String accessKey) {
        return new SigV4Exception(
                Reason.UNKNOWN_ACCESS_KEY,
                "The AWS Access Key Id you provided does not exist in our records.",
                Map.of("AWSAccessKeyId", accessKey));
    }

    private static SigV4Exception mismatch(String accessKey, String text, String signature) {
        Map<String, String> details = new LinkedHashMap<>();
        details.put("AWSAccessKeyId", accessKey);
        details.put("StringToSign", text);
        details.put("SignatureProvided", signature);
        return new SigV4Exception(
                Reason.SIGNATURE_MISMATCH,
                "The request signature we calculated does not match the signature you provided."
                        + " Check your key and signing method.",
                details);
    }
}
