package io.dedupstore.server.s3.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.server.s3.S3Dates;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What locks keep from happening, and for how long. */
class ObjectLockTest {
    private static final String BYPASS = "x-amz-bypass-governance-retention";

    private final TestGateway gateway = new TestGateway();

    @BeforeEach
    void makeBucket() {
        gateway.send(new Call("PUT", "/docs").header("x-amz-bucket-object-lock-enabled", "true"));
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private Answer set(String target, String document) {
        return gateway.send(
                new Call("PUT", target).header("content-md5", Md5.base64(document)).body(document));
    }

    private Answer rule(String retention) {
        return set(
                "/docs?object-lock",
                "<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule>"
                        + retention
                        + "</Rule></ObjectLockConfiguration>");
    }

    private Answer retain(String mode, Duration time, boolean bypass) {
        String document =
                "<Retention><Mode>%s</Mode><RetainUntilDate>%s</RetainUntilDate></Retention>"
                        .formatted(mode, in(time));
        return gateway.send(
                new Call("PUT", "/docs/k?retention")
                        .header("content-md5", Md5.base64(document))
                        .header(BYPASS, Boolean.toString(bypass))
                        .body(document));
    }

    private String in(Duration time) {
        Instant now =
                S3Dates.parse(gateway.send("HEAD", "/docs/k").header("Last-Modified"))
                        .orElseThrow();
        return S3Dates.iso(now.plus(time).toEpochMilli());
    }

    private String put() {
        return gateway.put("/docs/k", "x").header("x-amz-version-id");
    }

    private Answer remove(String version, boolean bypass) {
        return gateway.send(
                new Call("DELETE", "/docs/k?versionId=" + version)
                        .header(BYPASS, Boolean.toString(bypass)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<DefaultRetention><Mode>GOVERNANCE</Mode></DefaultRetention> | MalformedXML",
                "<DefaultRetention><Mode>GOVERNANCE</Mode><Days>1</Days><Years>1</Years></DefaultRetention> | MalformedXML",
                "<DefaultRetention><Days>1</Days></DefaultRetention> | MalformedXML",
                "<DefaultRetention><Mode>x</Mode><Days>1</Days></DefaultRetention> | MalformedXML",
                "<DefaultRetention><Mode>GOVERNANCE</Mode><Days>x</Days></DefaultRetention> | MalformedXML",
                "<DefaultRetention><Mode>GOVERNANCE</Mode><Days>0</Days></DefaultRetention> | InvalidRetentionPeriod",
                "<DefaultRetention><Mode>GOVERNANCE</Mode><Years>-1</Years></DefaultRetention> | InvalidRetentionPeriod",
                "<DefaultRetention><Mode>GOVERNANCE</Mode><Years>101</Years></DefaultRetention> | InvalidArgument",
                "<DefaultRetention><Mode>COMPLIANCE</Mode><Years>1</Years></DefaultRetention> | 200",
                "<Other/> | MalformedXML",
            })
    void rulesMustMakeSense(String retention, String code) {
        assertThat(rule(retention).code()).isEqualTo(code);
        assertThat(gateway.send("GET", "/docs?object-lock").elements("Rule"))
                .hasSize(code.equals("200") ? 1 : 0);
    }

    @Test
    void aRuleLocksWhatSaysNothingItself() {
        rule("<DefaultRetention><Mode>COMPLIANCE</Mode><Days>3</Days></DefaultRetention>");
        String version = put();
        assertThat(gateway.send("GET", "/docs/k?retention").element("RetainUntilDate"))
                .startsWith(in(Duration.ofDays(3)).substring(0, "2026-01-01T00:00:00".length()));
        assertThat(remove(version, true).code()).isEqualTo("AccessDenied");
        gateway.tick(Duration.ofDays(3).plusSeconds(1));
        assertThat(remove(version, false).status()).isEqualTo(204);
    }

    @Test
    void governanceYieldsToThoseWhoMayAndSaySo() {
        String version = put();
        assertThat(retain("GOVERNANCE", Duration.ofHours(2), false).status()).isEqualTo(200);
        assertThat(retain("GOVERNANCE", Duration.ofHours(3), false).status()).isEqualTo(200);
        assertThat(retain("GOVERNANCE", Duration.ofHours(1), false).code())
                .isEqualTo("AccessDenied");
        assertThat(retain("COMPLIANCE", Duration.ofHours(4), false).code())
                .isEqualTo("AccessDenied");
        Answer denied = remove(version, false);
        assertThat(denied.code()).isEqualTo("AccessDenied");
        assertThat(denied.element("Message")).contains("object lock");
        assertThat(gateway.send("DELETE", "/docs/k").status()).isEqualTo(204);
        assertThat(gateway.send("GET", "/docs/k?versionId=" + version).text()).isEqualTo("x");
        assertThat(remove(version, true).status()).isEqualTo(204);
    }

    @Test
    void complianceYieldsToNobody() {
        String version = put();
        retain("COMPLIANCE", Duration.ofHours(2), false);
        assertThat(retain("COMPLIANCE", Duration.ofHours(1), true).code())
                .isEqualTo("AccessDenied");
        assertThat(retain("GOVERNANCE", Duration.ofHours(3), true).code())
                .isEqualTo("AccessDenied");
        assertThat(retain("COMPLIANCE", Duration.ofHours(3), false).status()).isEqualTo(200);
        gateway.tick(Duration.ofHours(2));
        assertThat(remove(version, true).code()).isEqualTo("AccessDenied");
        gateway.tick(Duration.ofHours(2));
        assertThat(remove(version, false).status()).isEqualTo(204);
    }

    @Test
    void aHoldKeepsUntilItIsTakenAway() {
        String version = put();
        assertThat(set("/docs/k?legal-hold", "<LegalHold><Status>on</Status></LegalHold>").code())
                .isEqualTo("MalformedXML");
        assertThat(gateway.send("GET", "/docs/k?legal-hold").code())
                .isEqualTo("NoSuchObjectLockConfiguration");
        set("/docs/k?legal-hold", "<LegalHold><Status>ON</Status></LegalHold>");
        assertThat(gateway.send("HEAD", "/docs/k").header("x-amz-object-lock-legal-hold"))
                .isEqualTo("ON");
        assertThat(remove(version, true).code()).isEqualTo("AccessDenied");
        set("/docs/k?legal-hold", "<LegalHold><Status>OFF</Status></LegalHold>");
        assertThat(gateway.send("GET", "/docs/k?legal-hold").element("Status")).isEqualTo("OFF");
        assertThat(remove(version, false).status()).isEqualTo(204);
    }

    @ParameterizedTest
    @CsvSource({
        "x-amz-object-lock-mode, GOVERNANCE",
        "x-amz-object-lock-retain-until-date, 2200-01-01T00:00:00Z",
        "x-amz-object-lock-legal-hold, on"
    })
    void halfALockIsNone(String header, String value) {
        Call call =
                new Call("PUT", "/docs/k")
                        .header(header, value)
                        .header("content-md5", Md5.base64("x"))
                        .body("x");
        assertThat(gateway.send(call).code()).isEqualTo("InvalidArgument");
        assertThat(call.bodyRead()).isFalse();
    }

    @Test
    void aLockedUploadIsVerified() {
        Call call = new Call("PUT", "/docs/k").header("x-amz-object-lock-legal-hold", "ON");
        assertThat(gateway.send(call.body("x")).code()).isEqualTo("InvalidRequest");
    }

    @Test
    void versioningOfLockedBucketsStays() {
        Answer answer =
                gateway.put(
                        "/docs?versioning",
                        "<VersioningConfiguration><Status>Suspended</Status></VersioningConfiguration>");
        assertThat(answer.code()).isEqualTo("InvalidBucketState");
        assertThat(gateway.send("GET", "/docs?versioning").element("Status")).isEqualTo("Enabled");
    }

    @Test
    void retentionGoesWithTheVersionThatIsNamed() {
        String first = put();
        put();
        String document =
                "<Retention><Mode>GOVERNANCE</Mode><RetainUntilDate>%s</RetainUntilDate></Retention>"
                        .formatted(in(Duration.ofHours(1)));
        assertThat(set("/docs/k?retention&versionId=" + first, document).status()).isEqualTo(200);
        assertThat(gateway.send("GET", "/docs/k?retention&versionId=" + first).element("Mode"))
                .isEqualTo("GOVERNANCE");
        assertThat(gateway.send("GET", "/docs/k?retention").code())
                .isEqualTo("NoSuchObjectLockConfiguration");
        assertThat(
                        gateway.send(
                                        new Call("PUT", "/docs/k?retention&versionId=" + first)
                                                .header("content-md5", Md5.base64("<Retention/>"))
                                                .header(BYPASS, "true")
                                                .body("<Retention/>"))
                                .status())
                .isEqualTo(200);
        assertThat(remove(first, false).status()).isEqualTo(204);
    }
}
