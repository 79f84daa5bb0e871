package io.dedupstore.server.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.sigv4.PayloadMode;
import io.dedupstore.core.sigv4.RequestHead;
import io.dedupstore.core.sigv4.SigV4Signer;
import io.dedupstore.server.auth.SignatureFuzz;
import io.dedupstore.server.http.HttpFuzz;
import io.dedupstore.server.policy.PolicyFuzz;
import io.dedupstore.server.s3.S3Fuzz;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A few seconds of damaged inputs for everything that reads what strangers send. */
class FuzzTest {
    private static final long SEED = 20261121;
    private static final int ROUNDS = 6_000;

    private static final Map<String, List<String>> CORPUS =
            Map.of(
                    "access",
                    List.of(
                            "{\"Version\": \"2012-10-17\", \"Statement\": [{\"Sid\": \"a\", \"Effect\": \"Allow\", \"Principal\": {\"AWS\": \"*\"}, \"Action\": [\"s3:Get*\"], \"Resource\": \"arn:aws:s3:::b/*\", \"Condition\": {\"ForAnyValue:StringLikeIfExists\": {\"aws:PrincipalTag/a\": [\"x*\", \"${aws:username}\"]}, \"IpAddress\": {\"aws:SourceIp\": \"10.0.0.0/8\"}, \"DateLessThan\": {\"aws:CurrentTime\": \"2026-01-01T00:00:00Z\"}}}]}",
                            "{\"Version\": \"2012-10-17\", \"Statement\": {\"Effect\": \"Deny\", \"NotAction\": \"s3:*\", \"NotResource\": \"*\"}}"),
                    "target",
                    List.of(
                            "GET\n/bucket/key%20%C3%BC?versionId=null&partNumber=1\nlocalhost:9000",
                            "PUT\n/key?uploadId=abc&partNumber=2\nbucket.s3.example.com",
                            "POST\n/bucket?delete\n[::1]:9000",
                            "GET\n/?max-buckets=3&prefix=%2F\ns3.example.com"),
                    "xml",
                    List.of(
                            "<Delete><Object><Key>a&amp;b</Key></Object><Quiet>true</Quiet></Delete>",
                            "<?xml version=\"1.0\"?><CORSConfiguration xmlns=\"x\"><CORSRule><AllowedMethod>GET</AllowedMethod><AllowedOrigin>*</AllowedOrigin><MaxAgeSeconds>3</MaxAgeSeconds></CORSRule></CORSConfiguration>",
                            "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
                            "<a><![CDATA[<b>]]><!-- c --><?d e?></a>"),
                    "policy",
                    List.of(
                            "{\"expiration\": \"2026-01-01T00:00:00Z\", \"conditions\": [{\"bucket\": \"b\"}, [\"starts-with\", \"$key\", \"\"], [\"eq\", \"$Content-Type\", \"text/a\"], [\"content-length-range\", 0, 10], {\"x-amz-meta-a\": 1}]}",
                            "eyJleHBpcmF0aW9uIjogIjIwMjYtMDEtMDFUMDA6MDA6MDBaIiwgImNvbmRpdGlvbnMiOiBbXX0="),
                    "form",
                    List.of(
                            "--b\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\n${filename}\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"c:\\a\\\"b\"\r\nContent-Type: text/plain\r\n\r\ncontent\r\n--c\r\n\r\n--b--\r\n",
                            "preamble\r\n--b \t\r\nContent-Disposition: form-data; name=x\r\n\r\n\r\n--b--"),
                    "http",
                    List.of(
                            "\u0003PUT /b/k HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\nHost: h\r\n\r\n",
                            "\u0040POST /b HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nT: u\r\n\r\n"));

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static Stream<String> names() {
        return CORPUS.keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("names")
    void whatStrangersSendIsReadOrRefused(String name) {
        Consumer<byte[]> target =
                switch (name) {
                    case "http" -> HttpFuzz::fuzzerTestOneInput;
                    case "access" -> PolicyFuzz::fuzzerTestOneInput;
                    default -> S3Fuzz.targets().get(name);
                };
        assertThat(target).isNotNull();
        List<byte[]> corpus = CORPUS.get(name).stream().map(FuzzTest::bytes).toList();
        Mutations.run(SEED, ROUNDS, corpus, target);
    }

    @Test
    void signedRequestsAreGenuineOrRefused() {
        List<byte[]> corpus = new ArrayList<>();
        SigV4Signer signer = new SigV4Signer("AKID", "secret", "us-east-1");
        Instant now = Instant.parse("2026-01-02T03:04:05Z");
        for (PayloadMode mode :
                List.of(
                        new PayloadMode.Unsigned(),
                        new PayloadMode.StreamingUnsignedTrailer(),
                        new PayloadMode.StreamingSigned())) {
            List<Map.Entry<String, String>> headers =
                    List.of(
                            Map.entry("host", "h"),
                            Map.entry("x-amz-decoded-content-length", "3"),
                            Map.entry("x-amz-trailer", "x-amz-checksum-crc32"));
            RequestHead head =
                    signer.sign(new RequestHead("PUT", "/b/k", headers), mode, now).head();
            StringBuilder text = new StringBuilder("PUT\n/b/k\n");
            head.headers().forEach(h -> text.append(h.getKey() + ":" + h.getValue() + "\n"));
            corpus.add(bytes(text + "\n3\r\nabc\r\n0\r\nx-amz-checksum-crc32:NSRBwg==\r\n\r\n"));
        }
        corpus.add(bytes("GET\n/b?AWSAccessKeyId=AKID&Signature=x&Expires=1\nhost:h"));
        corpus.add(
                bytes("GET\n/b\nauthorization:AWS AKID:c2ln\ndate:Fri, 02 Jan 2026 03:04:05 GMT"));
        corpus.add(
                bytes(
                        "GET\n/b?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKID%2F20260102%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20260102T030405Z&X-Amz-Expires=60&X-Amz-SignedHeaders=host&X-Amz-Signature=00\nhost:h"));
        Mutations.run(SEED, ROUNDS, corpus, SignatureFuzz::fuzzerTestOneInput);
    }
}
