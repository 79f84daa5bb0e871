package io.dedupstore.core.sigv4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.sigv4.SigV4Exception.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The examples of the S3 developer guide's page on signatures of version 2. */
class SigV2VerifierTest {
    private static final Optional<byte[]> SECRET =
            Optional.of(
                    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".getBytes(StandardCharsets.UTF_8));
    private static final Instant THEN = Instant.parse("2007-03-27T19:40:00Z");

    private final SigV2Verifier verifier =
            new SigV2Verifier(
                    head ->
                            head.header("host")
                                    .filter(host -> host.endsWith(".s3.us-west-1.amazonaws.com"))
                                    .map(host -> host.substring(0, host.indexOf('.'))));

    private static RequestHead head(String method, String target, String... headers) {
        List<Map.Entry<String, String>> all = new ArrayList<>();
        for (int i = 0; i < headers.length; i += 2) {
            all.add(Map.entry(headers[i], headers[i + 1]));
        }
        return new RequestHead(method, target, all);
    }

    private void verify(RequestHead head, Instant now) {
        verifier.verify(head, verifier.parse(head).orElseThrow(), SECRET, now);
    }

    @Test
    void verifiesGet() {
        verify(
                head(
                        "GET",
                        "/photos/puppy.jpg",
                        "Host",
                        "awsexamplebucket1.s3.us-west-1.amazonaws.com",
                        "Date",
                        "Tue, 27 Mar 2007 19:36:42 +0000",
                        "Authorization",
                        "AWS AKIAIOSFODNN7EXAMPLE:qgk2+6Sv9/oM7G3qLEjTH1a1l1g="),
                THEN);
    }

    @Test
    void verifiesPutWithItsType() {
        verify(
                head(
                        "PUT",
                        "/photos/puppy.jpg",
                        "Content-Type",
                        "image/jpeg",
                        "Content-Length",
                        "94328",
                        "Host",
                        "awsexamplebucket1.s3.us-west-1.amazonaws.com",
                        "Date",
                        "Tue, 27 Mar 2007 21:15:45 +0000",
                        "Authorization",
                        "AWS AKIAIOSFODNN7EXAMPLE:iqRzw+ileNPu1fhspnRs8nOjjIA="),
                Instant.parse("2007-03-27T21:15:45Z"));
    }

    @Test
    void parametersOfListingsAreNotSignedAndSubResourcesAre() {
        verify(
                head(
                        "GET",
                        "/?prefix=photos&max-keys=50&marker=puppy",
                        "Host",
                        "awsexamplebucket1.s3.us-west-1.amazonaws.com",
                        "Date",
                        "Tue, 27 Mar 2007 19:42:41 +0000",
                        "Authorization",
                        "AWS AKIAIOSFODNN7EXAMPLE:m0WP8eCtspQl5Ahe6L1SozdX9YA="),
                THEN);
        verify(
                head(
                        "GET",
                        "/?acl",
                        "Host",
                        "awsexamplebucket1.s3.us-west-1.amazonaws.com",
                        "Date",
                        "Tue, 27 Mar 2007 19:44:46 +0000",
                        "Authorization",
                        "AWS AKIAIOSFODNN7EXAMPLE:82ZHiFIjc+WbcwFKGUVEQspPn+0="),
                THEN);
    }

    @Test
    void verifiesSignedUrls() {
        RequestHead head =
                head(
                        "GET",
                        "/photos/puppy.jpg?AWSAccessKeyId=AKIAIOSFODNN7EXAMPLE"
                                + "&Signature=1No4mq5ETf02z8aet9voy6gui6E%3D&Expires=1175139620",
                        "Host",
                        "awsexamplebucket1.s3.us-west-1.amazonaws.com");
        verify(head, Instant.ofEpochSecond(1_175_139_620));
        refused(head, Instant.ofEpochSecond(1_175_139_621), Reason.EXPIRED);
    }

    @Test
    void refusesWhatIsForgedUnknownOrOld() {
        String[] headers = {
            "Host", "localhost",
            "Date", "Tue, 27 Mar 2007 19:36:42 +0000",
            "Authorization", "AWS AKIAIOSFODNN7EXAMPLE:qgk2+6Sv9/oM7G3qLEjTH1a1l1g="
        };
        RequestHead head = head("GET", "/awsexamplebucket1/photos/puppy.jpg", headers);
        assertThatCode(() -> verify(head, THEN)).doesNotThrowAnyException();
        refused(
                head("GET", "/awsexamplebucket1/photos/kitten.jpg", headers),
                THEN,
                Reason.SIGNATURE_MISMATCH);
        refused(
                head("PUT", "/awsexamplebucket1/photos/puppy.jpg", headers),
                THEN,
                Reason.SIGNATURE_MISMATCH);
        refused(head, THEN.plusSeconds(3600), Reason.TIME_TOO_SKEWED);
        headers[3] = "yesterday";
        refused(
                head("GET", "/awsexamplebucket1/photos/puppy.jpg", headers),
                THEN,
                Reason.MISSING_DATE);
        assertThatThrownBy(
                        () ->
                                verifier.verify(
                                        head,
                                        verifier.parse(head).orElseThrow(),
                                        Optional.empty(),
                                        THEN))
                .extracting(e -> ((SigV4Exception) e).reason())
                .isEqualTo(Reason.UNKNOWN_ACCESS_KEY);
    }

    @Test
    void saysWhatItCannotRead() {
        assertThat(verifier.parse(head("GET", "/", "Authorization", "AWS4-HMAC-SHA256 x")))
                .isEmpty();
        refused(head("GET", "/", "Authorization", "AWS HAHAHA"), THEN, Reason.VERSION_2_MALFORMED);
        refused(head("GET", "/?Signature=x"), THEN, Reason.VERSION_2_INCOMPLETE);
        refused(
                head("GET", "/?Signature=x&AWSAccessKeyId=y&Expires=tomorrow"),
                THEN,
                Reason.VERSION_2_INCOMPLETE);
    }

    private void refused(RequestHead head, Instant now, Reason reason) {
        assertThatThrownBy(() -> verify(head, now))
                .isInstanceOf(SigV4Exception.class)
                .extracting(e -> ((SigV4Exception) e).reason())
                .isEqualTo(reason);
    }
}
