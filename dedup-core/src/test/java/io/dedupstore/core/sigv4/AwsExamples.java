package io.dedupstore.core.sigv4;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Key, time and bucket of the worked examples in the S3 API reference. */
final class AwsExamples {
    static final String ACCESS_KEY = "AKIAIOSFODNN7EXAMPLE";
    static final String SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    static final Instant TIME = Instant.parse("2013-05-24T00:00:00Z");
    static final String SCOPE = "20130524/us-east-1/s3/aws4_request";
    static final String HOST = "examplebucket.s3.amazonaws.com";

    private AwsExamples() {}

    static Optional<byte[]> secret() {
        return Optional.of(SECRET.getBytes(StandardCharsets.UTF_8));
    }

    /** Headers in alternating names and values. */
    static RequestHead head(String method, String target, String... headers) {
        List<Map.Entry<String, String>> list = new ArrayList<>();
        for (int i = 0; i < headers.length; i += 2) {
            list.add(Map.entry(headers[i], headers[i + 1]));
        }
        return new RequestHead(method, target, list);
    }

    static RequestHead with(RequestHead head, String name, String value) {
        List<Map.Entry<String, String>> list = new ArrayList<>(head.headers());
        list.removeIf(header -> header.getKey().equals(name));
        list.add(Map.entry(name, value));
        return new RequestHead(head.method(), head.rawTarget(), list);
    }

    static String authorization(String signedHeaders, String signature) {
        return "AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s"
                .formatted(ACCESS_KEY, SCOPE, signedHeaders, signature);
    }

    static SigningContext verify(RequestHead head, Instant now) {
        SigV4Verifier verifier = new SigV4Verifier("us-east-1");
        return verifier.verify(head, verifier.parse(head).orElseThrow(), secret(), now);
    }
}
