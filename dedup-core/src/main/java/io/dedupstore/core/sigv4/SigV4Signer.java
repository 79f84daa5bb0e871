package io.dedupstore.core.sigv4;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Signs requests the way clients do; for our own tools and for tests. Safe for many threads. */
public final class SigV4Signer {
    private static final Set<String> NEVER_SIGNED =
            Set.of(
                    "authorization",
                    "connection",
                    "expect",
                    "keep-alive",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade",
                    "user-agent",
                    "x-amzn-trace-id");

    private final String accessKey;
    private final byte[] secret;
    private final String region;
    private final String service;
    private final SigningKeys keys = new SigningKeys();

    public SigV4Signer(String accessKey, String secret, String region) {
        this(accessKey, secret, region, "s3");
    }

    public SigV4Signer(String accessKey, String secret, String region, String service) {
        this.accessKey = accessKey;
        this.secret = secret.getBytes(StandardCharsets.UTF_8);
        this.region = region;
        this.service = service;
    }

    /**
     * A signed head.
     *
     * @param head the given head with the signature's headers appended
     * @param context for signing chunks
     */
    public record Signed(RequestHead head, SigningContext context) {}

    /** Adds {@code x-amz-date}, {@code x-amz-content-sha256} and {@code authorization}. */
    public Signed sign(RequestHead head, PayloadMode payload, Instant now) {
        List<Map.Entry<String, String>> headers = new ArrayList<>(head.headers());
        headers.add(Map.entry("x-amz-content-sha256", payload.headerValue()));
        headers.add(Map.entry("x-amz-date", Timestamps.basic(now)));
        RequestHead dated = new RequestHead(head.method(), head.rawTarget(), headers);
        CredentialScope scope = scope(now);
        List<String> signedHeaders = signedHeaders(dated);
        String signature = signature(dated, signedHeaders, payload.headerValue(), scope, now);
        headers.add(
                Map.entry(
                        "authorization",
                        "%s Credential=%s/%s,SignedHeaders=%s,Signature=%s"
                                .formatted(
                                        ClaimParser.ALGORITHM,
                                        accessKey,
                                        scope.text(),
                                        String.join(";", signedHeaders),
                                        signature)));
        SigningContext context =
                new SigningContext(
                        keys.get(accessKey, secret, scope),
                        Timestamps.basic(now),
                        scope.text(),
                        signature);
        return new Signed(new RequestHead(head.method(), head.rawTarget(), headers), context);
    }

    /**
     * A request target that is valid without an {@code authorization} header; signs the given
     * headers.
     */
    public String presign(RequestHead head, Duration validity, Instant now) {
        CredentialScope scope = scope(now);
        List<String> signedHeaders = signedHeaders(head);
        String target =
                head.rawTarget()
                        + (head.rawTarget().contains("?") ? "&" : "?")
                        + String.join(
                                "&",
                                parameter(PresignedQuery.ALGORITHM, ClaimParser.ALGORITHM),
                                parameter(
                                        PresignedQuery.CREDENTIAL, accessKey + "/" + scope.text()),
                                parameter(PresignedQuery.DATE, Timestamps.basic(now)),
                                parameter(
                                        PresignedQuery.EXPIRES,
                                        Long.toString(validity.toSeconds())),
                                parameter(
                                        PresignedQuery.SIGNED_HEADERS,
                                        String.join(";", signedHeaders)));
        RequestHead unsigned = new RequestHead(head.method(), target, head.headers());
        String signature =
                signature(unsigned, signedHeaders, PayloadMode.UNSIGNED_PAYLOAD, scope, now);
        return target + "&" + parameter(PresignedQuery.SIGNATURE, signature);
    }

    private String signature(
            RequestHead head,
            List<String> signedHeaders,
            String payloadHash,
            CredentialScope scope,
            Instant now) {
        String canonical = CanonicalRequest.candidates(head, signedHeaders, payloadHash).getFirst();
        String text = CanonicalRequest.stringToSign(Timestamps.basic(now), scope, canonical);
        return SigningContext.hex(Hmac.sign(keys.get(accessKey, secret, scope), text));
    }

    private CredentialScope scope(Instant now) {
        return new CredentialScope(Timestamps.day(now), region, service);
    }

    private static List<String> signedHeaders(RequestHead head) {
        TreeSet<String> names = new TreeSet<>();
        head.headers().forEach(header -> names.add(header.getKey()));
        names.removeAll(NEVER_SIGNED);
        return List.copyOf(names);
    }

    private static String parameter(String name, String value) {
        return name + "=" + UriEncoding.encode(value, false);
    }
}
