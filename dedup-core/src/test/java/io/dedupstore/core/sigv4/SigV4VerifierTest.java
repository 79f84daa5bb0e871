package io.dedupstore.core.sigv4;

import static io.dedupstore.core.sigv4.AwsExamples.HOST;
import static io.dedupstore.core.sigv4.AwsExamples.TIME;
import static io.dedupstore.core.sigv4.AwsExamples.authorization;
import static io.dedupstore.core.sigv4.AwsExamples.head;
import static io.dedupstore.core.sigv4.AwsExamples.secret;
import static io.dedupstore.core.sigv4.AwsExamples.verify;
import static io.dedupstore.core.sigv4.AwsExamples.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.sigv4.SigV4Exception.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SigV4VerifierTest {
    private static final String DATE = "20130524T000000Z";
    private static final String PRESIGNED =
            "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256"
                    + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
                    + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
                    + "&X-Amz-Signature="
                    + "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404";

    private final SigV4Signer signer =
            new SigV4Signer(AwsExamples.ACCESS_KEY, AwsExamples.SECRET, "us-east-1");

    private static RequestHead getObject() {
        return head(
                "GET",
                "/test.txt",
                "Host",
                HOST,
                "Range",
                "bytes=0-9",
                "x-amz-content-sha256",
                PayloadMode.EMPTY_SHA256,
                "x-amz-date",
                DATE,
                "Authorization",
                authorization(
                        "host;range;x-amz-content-sha256;x-amz-date",
                        "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"));
    }

    @Test
    void acceptsTheDocumentedGetObject() {
        assertThat(verify(getObject(), TIME).seed()).startsWith("f0e8bdb8");
    }

    @Test
    void acceptsTheDocumentedPutObjectWithADollarInItsKey() {
        String hash = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072";
        RequestHead put =
                head(
                        "PUT",
                        "/test$file.text",
                        "Host",
                        HOST,
                        "Date",
                        "Fri, 24 May 2013 00:00:00 GMT",
                        "x-amz-date",
                        DATE,
                        "x-amz-storage-class",
                        "REDUCED_REDUNDANCY",
                        "x-amz-content-sha256",
                        hash,
                        "Authorization",
                        authorization(
                                "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
                                "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"));
        verify(put, TIME);
        assertThat(new SigV4Verifier("us-east-1").parse(put).orElseThrow().payloadMode())
                .isEqualTo(new PayloadMode.SignedHash(hash));
    }

    @ParameterizedTest
    @CsvSource({
        "/?lifecycle, fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
        "/?max-keys=2&prefix=J, 34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
        "/?prefix=J&max-keys=2, 34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
    })
    void acceptsTheDocumentedBucketRequests(String target, String signature) {
        verify(
                head(
                        "GET",
                        target,
                        "Host",
                        HOST,
                        "x-amz-date",
                        DATE,
                        "x-amz-content-sha256",
                        PayloadMode.EMPTY_SHA256,
                        "Authorization",
                        authorization("host;x-amz-content-sha256;x-amz-date", signature)),
                TIME);
    }

    @Test
    void acceptsTheDocumentedPresignedUrl() {
        RequestHead get = head("GET", PRESIGNED, "Host", HOST);
        verify(get, TIME.plusSeconds(86_400));
        assertThat(new SigV4Verifier("us-east-1").parse(get).orElseThrow().payloadMode())
                .isEqualTo(new PayloadMode.Unsigned());
    }

    @Test
    void refusesAPresignedUrlOutsideItsValidity() {
        RequestHead get = head("GET", PRESIGNED, "Host", HOST);
        SigV4Exception expired =
                refused(() -> verify(get, TIME.plusSeconds(86_401)), Reason.EXPIRED);
        assertThat(expired.details())
                .containsEntry("X-Amz-Expires", "86400")
                .containsEntry("Expires", "2013-05-25T00:00:00Z")
                .containsEntry("ServerTime", "2013-05-25T00:00:01Z");
        refused(() -> verify(get, TIME.minusSeconds(901)), Reason.NOT_YET_VALID);
        verify(get, TIME.minusSeconds(900));
    }

    @Test
    void refusesAPresignedUrlWithAnotherMethodOrAnAddedParameterOrHeader() {
        refused(
                () -> verify(head("HEAD", PRESIGNED, "Host", HOST), TIME),
                Reason.SIGNATURE_MISMATCH);
        refused(
                () -> verify(head("GET", PRESIGNED + "&versionId=1", "Host", HOST), TIME),
                Reason.SIGNATURE_MISMATCH);
        refused(
                () -> verify(head("GET", PRESIGNED, "Host", HOST, "x-amz-acl", "private"), TIME),
                Reason.UNSIGNED_HEADERS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-7", "604801", "999999999999999999999", "x", "1e3"})
    void refusesPresignedValiditiesOutOfRange(String expires) {
        String target = PRESIGNED.replace("Expires=86400", "Expires=" + expires);
        refused(() -> verify(head("GET", target, "Host", HOST), TIME), Reason.EXPIRES_OUT_OF_RANGE);
    }

    @Test
    void refusesAPresignedUrlThatMissesOrRepeatsAParameter() {
        refused(
                () ->
                        verify(
                                head(
                                        "GET",
                                        PRESIGNED.replace("&X-Amz-Expires=86400", ""),
                                        "Host",
                                        HOST),
                                TIME),
                Reason.QUERY_PARAMETERS_MALFORMED);
        refused(
                () -> verify(head("GET", PRESIGNED + "&X-Amz-Date=" + DATE, "Host", HOST), TIME),
                Reason.QUERY_PARAMETERS_MALFORMED);
    }

    @Test
    void aHeadWithoutAnyClaimIsAnonymous() {
        SigV4Verifier verifier = new SigV4Verifier("us-east-1");
        assertThat(verifier.parse(head("GET", "/a?b=c", "host", HOST))).isEmpty();
        assertThat(verifier.parse(head("GET", "/a", "host", HOST, "authorization", " "))).isEmpty();
    }

    @Test
    void toleratesFifteenMinutesOfSkewAndReportsMore() {
        verify(getObject(), TIME.plus(SigV4Verifier.MAX_SKEW));
        verify(getObject(), TIME.minus(SigV4Verifier.MAX_SKEW));
        SigV4Exception skewed =
                refused(() -> verify(getObject(), TIME.plusSeconds(901)), Reason.TIME_TOO_SKEWED);
        assertThat(skewed.details())
                .containsExactly(
                        java.util.Map.entry("RequestTime", DATE),
                        java.util.Map.entry("ServerTime", "2013-05-24T00:15:01Z"),
                        java.util.Map.entry("MaxAllowedSkewMilliseconds", "900000"));
    }

    @Test
    void aMismatchExplainsItself() {
        RequestHead changed = with(getObject(), "range", "bytes=0-10");
        SigV4Exception mismatch = refused(() -> verify(changed, TIME), Reason.SIGNATURE_MISMATCH);
        assertThat(mismatch.details())
                .containsEntry("AWSAccessKeyId", AwsExamples.ACCESS_KEY)
                .containsKeys("StringToSign", "StringToSignBytes", "CanonicalRequestBytes");
        assertThat(mismatch.details().get("CanonicalRequest"))
                .startsWith("GET\n/test.txt\n\nhost:" + HOST + "\nrange:bytes=0-10\n");
        assertThat(mismatch.details().get("StringToSignBytes")).startsWith("41 57 53 34");
    }

    @Test
    void anUnknownKeyIsReportedWhateverItsSignature() {
        SigV4Verifier verifier = new SigV4Verifier("us-east-1");
        RequestHead get = getObject();
        refused(
                () ->
                        verifier.verify(
                                get, verifier.parse(get).orElseThrow(), Optional.empty(), TIME),
                Reason.UNKNOWN_ACCESS_KEY);
    }

    @Test
    void anotherRegionIsNamedSoThatClientsCanSignAgain() {
        SigV4Verifier verifier = new SigV4Verifier("eu-west-1");
        RequestHead get = getObject();
        SigV4Exception wrong =
                refused(
                        () ->
                                verifier.verify(
                                        get, verifier.parse(get).orElseThrow(), secret(), TIME),
                        Reason.HEADER_MALFORMED);
        assertThat(wrong.details()).containsEntry("Region", "eu-west-1");
    }

    @Test
    void refusesAnotherServiceAndAnotherDay() {
        String value = getObject().header("authorization").orElseThrow();
        refused(
                () ->
                        verify(
                                with(getObject(), "authorization", value.replace("/s3/", "/sts/")),
                                TIME),
                Reason.HEADER_MALFORMED);
        refused(
                () ->
                        verify(
                                with(
                                        getObject(),
                                        "authorization",
                                        value.replace("20130524/", "20130523/")),
                                TIME),
                Reason.HEADER_MALFORMED);
    }

    @Test
    void refusesUnsignedAmzHeadersAndAnUnsignedHost() {
        SigV4Exception unsigned =
                refused(
                        () -> verify(with(getObject(), "x-amz-copy-source", "/b/k"), TIME),
                        Reason.UNSIGNED_HEADERS);
        assertThat(unsigned.details()).containsEntry("HeadersNotSigned", "x-amz-copy-source");
        String value = getObject().header("authorization").orElseThrow();
        refused(
                () -> verify(with(getObject(), "authorization", value.replace("host;", "")), TIME),
                Reason.UNSIGNED_HEADERS);
    }

    @Test
    void refusesASignedHeaderThatIsNotThere() {
        RequestHead signed =
                signer.sign(head("GET", "/k", "host", HOST, "x-empty", ""), emptyHash(), TIME)
                        .head();
        verify(signed, TIME);
        RequestHead stripped =
                new RequestHead(
                        "GET",
                        "/k",
                        signed.headers().stream()
                                .filter(header -> !header.getKey().equals("x-empty"))
                                .toList());
        refused(() -> verify(stripped, TIME), Reason.SIGNATURE_MISMATCH);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "AWS4-HMAC-SHA256 Credential=HAHAHA",
                "AWS4-HMAC-SHA256 nonsense",
                "AWS4-HMAC-SHA256 Credential=a/20130524/us-east-1/s3/aws4_request,SignedHeaders=host",
                "AWS4-HMAC-SHA256 Credential=a/2013/us-east-1/s3/aws4_request,SignedHeaders=host,Signature=0",
                "AWS4-HMAC-SHA256 Signature=1,Signature=2"
            })
    void refusesMalformedAuthorizationHeaders(String value) {
        refused(
                () -> verify(with(getObject(), "authorization", value), TIME),
                Reason.HEADER_MALFORMED);
    }

    @Test
    void refusesOtherMechanismsAndTwoAtOnce() {
        refused(
                () -> verify(with(getObject(), "authorization", "AWS AKID:c2ln"), TIME),
                Reason.UNSUPPORTED_MECHANISM);
        refused(
                () ->
                        verify(
                                head(
                                        "GET",
                                        "/k?AWSAccessKeyId=a&Signature=b&Expires=1",
                                        "host",
                                        HOST),
                                TIME),
                Reason.UNSUPPORTED_MECHANISM);
        refused(
                () -> verify(new RequestHead("GET", PRESIGNED, getObject().headers()), TIME),
                Reason.SEVERAL_MECHANISMS);
    }

    @Test
    void refusesRepeatedSecurityHeaders() {
        RequestHead twice =
                head(
                        "GET",
                        "/k",
                        "host",
                        HOST,
                        "host",
                        "other",
                        "authorization",
                        "AWS4-HMAC-SHA256 x");
        refused(() -> verify(twice, TIME), Reason.DUPLICATE_HEADER);
    }

    @Test
    void needsADateAndAPayloadHash() {
        RequestHead undated = without(getObject(), "x-amz-date");
        refused(() -> verify(undated, TIME), Reason.MISSING_DATE);
        refused(
                () -> verify(with(getObject(), "x-amz-date", "2013-05-24"), TIME),
                Reason.MISSING_DATE);
        refused(
                () -> verify(without(getObject(), "x-amz-content-sha256"), TIME),
                Reason.MISSING_PAYLOAD_HASH);
        refused(
                () -> verify(with(getObject(), "x-amz-content-sha256", "abc"), TIME),
                Reason.INVALID_PAYLOAD_HASH);
        refused(
                () ->
                        verify(
                                with(
                                        getObject(),
                                        "x-amz-content-sha256",
                                        "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD"),
                                TIME),
                Reason.UNSUPPORTED_PAYLOAD_MODE);
    }

    @Test
    void findsSessionTokens() {
        RequestHead signed =
                signer.sign(
                                head("GET", "/k", "host", HOST, "x-amz-security-token", "t"),
                                emptyHash(),
                                TIME)
                        .head();
        verify(signed, TIME);
        assertThat(SigV4Verifier.securityToken(signed)).hasValue("t");
        assertThat(
                        SigV4Verifier.securityToken(
                                head("GET", "/k?X-Amz-Security-Token=a%2Bb", "host", HOST)))
                .hasValue("a+b");
    }

    @Test
    void takesPathsAsTheyAre() {
        String target = "/b/..//a%2Fb/./%E2%82%AC%20+~?x-id=GetObject&k&a=%2B;b&a=";
        RequestHead signed =
                signer.sign(head("GET", target, "host", HOST), emptyHash(), TIME).head();
        verify(signed, TIME);
        assertThat(CanonicalRequest.candidates(signed, java.util.List.of("host"), "h").getFirst())
                .startsWith("GET\n/b/..//a/b/./%E2%82%AC%20%2B~\na=&a=%2B%3Bb&k=&x-id=GetObject\n");
        refused(
                () ->
                        verify(
                                new RequestHead("GET", target.replace("//", "/"), signed.headers()),
                                TIME),
                Reason.SIGNATURE_MISMATCH);
    }

    @Test
    void acceptsPathsSignedAsSent() {
        RequestHead unsigned =
                head(
                        "GET",
                        "/b/(it's)!*",
                        "host",
                        HOST,
                        "x-amz-content-sha256",
                        PayloadMode.EMPTY_SHA256,
                        "x-amz-date",
                        DATE);
        java.util.List<String> names =
                java.util.List.of("host", "x-amz-content-sha256", "x-amz-date");
        String raw = CanonicalRequest.candidates(unsigned, names, PayloadMode.EMPTY_SHA256).get(1);
        assertThat(raw).startsWith("GET\n/b/(it's)!*\n");
        CredentialScope scope = new CredentialScope("20130524", "us-east-1", "s3");
        byte[] key = SigningKeys.derive(secret().orElseThrow(), scope);
        String signature =
                SigningContext.hex(Hmac.sign(key, CanonicalRequest.stringToSign(DATE, scope, raw)));
        verify(
                with(unsigned, "authorization", authorization(String.join(";", names), signature)),
                TIME);
    }

    @Test
    void aDefaultPortInTheHostMayBeLeftOutOfTheSignature() {
        RequestHead signed =
                signer.sign(head("GET", "/k", "host", "store.test"), emptyHash(), TIME).head();
        verify(with(signed, "host", "store.test:80"), TIME);
        verify(with(signed, "host", "store.test:443"), TIME);
        refused(
                () -> verify(with(signed, "host", "store.test:9000"), TIME),
                Reason.SIGNATURE_MISMATCH);
    }

    @Test
    void collapsesSpacesAndJoinsRepeatedHeadersInArrivalOrder() {
        RequestHead signed =
                signer.sign(
                                head(
                                        "GET",
                                        "/k",
                                        "host",
                                        HOST,
                                        "x-amz-meta-a",
                                        "  two   words ",
                                        "x-amz-meta-a",
                                        "b"),
                                emptyHash(),
                                TIME)
                        .head();
        verify(signed, TIME);
        assertThat(
                        CanonicalRequest.candidates(signed, java.util.List.of("x-amz-meta-a"), "h")
                                .getFirst())
                .contains("x-amz-meta-a:two words,b\n");
    }

    @Test
    void acceptsADateHeaderInsteadOfAnAmzDate() {
        for (String date :
                new String[] {
                    "Fri, 24 May 2013 00:00:00 GMT", "20130524T000000Z", "2013-05-24T00:00:00Z"
                }) {
            RequestHead unsigned =
                    head(
                            "GET",
                            "/k",
                            "host",
                            HOST,
                            "date",
                            date,
                            "x-amz-content-sha256",
                            PayloadMode.UNSIGNED_PAYLOAD);
            java.util.List<String> names =
                    java.util.List.of("date", "host", "x-amz-content-sha256");
            String canonical =
                    CanonicalRequest.candidates(unsigned, names, PayloadMode.UNSIGNED_PAYLOAD)
                            .getFirst();
            CredentialScope scope = new CredentialScope("20130524", "us-east-1", "s3");
            byte[] key = SigningKeys.derive(secret().orElseThrow(), scope);
            String text = CanonicalRequest.stringToSign(DATE, scope, canonical);
            String signature = SigningContext.hex(Hmac.sign(key, text));
            verify(
                    with(
                            unsigned,
                            "authorization",
                            authorization(String.join(";", names), signature)),
                    TIME);
        }
    }

    @Test
    void signsPresignedUrlsThatVerify() {
        RequestHead plain = head("PUT", "/b/k?partNumber=1&uploadId=x%2Fy", "host", HOST);
        String target = signer.presign(plain, Duration.ofHours(1), TIME);
        verify(head("PUT", target, "host", HOST), TIME.plusSeconds(3600));
    }

    @Test
    void aChangedSecretIsNotServedFromTheKeyCache() {
        SigV4Verifier verifier = new SigV4Verifier("us-east-1");
        RequestHead get = getObject();
        SignatureClaim claim = verifier.parse(get).orElseThrow();
        verifier.verify(get, claim, secret(), TIME);
        refused(
                () -> verifier.verify(get, claim, Optional.of(new byte[] {1}), TIME),
                Reason.SIGNATURE_MISMATCH);
        verifier.verify(get, claim, secret(), TIME);
    }

    @Test
    void anonymousPayloadsMayNotClaimSignedChunks() {
        refused(
                () ->
                        SigV4Verifier.anonymousPayloadMode(
                                head(
                                        "PUT",
                                        "/k",
                                        "x-amz-content-sha256",
                                        PayloadMode.STREAMING_SIGNED)),
                Reason.ANONYMOUS_SIGNED_PAYLOAD);
        assertThat(
                        SigV4Verifier.anonymousPayloadMode(
                                head(
                                        "PUT",
                                        "/k",
                                        "x-amz-content-sha256",
                                        PayloadMode.STREAMING_UNSIGNED_TRAILER)))
                .isEqualTo(new PayloadMode.StreamingUnsignedTrailer());
    }

    @Test
    void refusesBrokenPercentCoding() {
        for (String target : new String[] {"/a%2", "/a%zz", "/a?b=%"}) {
            refused(
                    () -> verify(new RequestHead("GET", target, getObject().headers()), TIME),
                    Reason.INVALID_URI);
        }
    }

    @Test
    void verifiesFormPolicies() {
        String policy = "eyJleHBpcmF0aW9uIjoiMjAxMy0wNS0yNSJ9";
        CredentialScope scope = new CredentialScope("20130524", "us-east-1", "s3");
        String signature =
                SigningContext.hex(
                        Hmac.sign(SigningKeys.derive(secret().orElseThrow(), scope), policy));
        PostPolicySignature parsed =
                PostPolicySignature.parse(
                        "AWS4-HMAC-SHA256",
                        AwsExamples.ACCESS_KEY + "/" + AwsExamples.SCOPE,
                        DATE,
                        signature,
                        "us-east-1");
        assertThat(parsed.accessKey()).isEqualTo(AwsExamples.ACCESS_KEY);
        parsed.verify(policy, secret());
        refused(() -> parsed.verify(policy + "x", secret()), Reason.SIGNATURE_MISMATCH);
        refused(() -> parsed.verify(policy, Optional.empty()), Reason.UNKNOWN_ACCESS_KEY);
    }

    private static PayloadMode emptyHash() {
        return new PayloadMode.SignedHash(PayloadMode.EMPTY_SHA256);
    }

    private static RequestHead without(RequestHead head, String name) {
        return new RequestHead(
                head.method(),
                head.rawTarget(),
                head.headers().stream().filter(h -> !h.getKey().equals(name)).toList());
    }

    static SigV4Exception refused(ThrowingCallable call, Reason reason) {
        SigV4Exception[] caught = new SigV4Exception[1];
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SigV4Exception.class,
                        e -> {
                            assertThat(e.reason()).isEqualTo(reason);
                            caught[0] = e;
                        });
        return caught[0];
    }

    @Test
    void theClockIsTheCallers() {
        refused(() -> verify(getObject(), Instant.EPOCH), Reason.TIME_TOO_SKEWED);
    }
}
