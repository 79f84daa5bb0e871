package io.dedupstore.server.s3.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.server.s3.S3Exception;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LifecycleRulesTest {
    private static final String DAYS = "<Expiration><Days>1</Days></Expiration>";

    private static LifecycleRules parse(String rules) {
        return LifecycleRules.parse(
                ("<LifecycleConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                                + rules
                                + "</LifecycleConfiguration>")
                        .getBytes(StandardCharsets.UTF_8));
    }

    private static String rule(String content) {
        return "<Rule><ID>one</ID><Status>Enabled</Status>" + content + "</Rule>";
    }

    private static String document(String rules) {
        String text = new String(parse(rules).document(), StandardCharsets.UTF_8);
        int start = text.indexOf("<Rule>");
        return text.substring(start, text.lastIndexOf("</LifecycleConfiguration>"));
    }

    @Test
    void areAnsweredInTheFormInWhichTheyCame() {
        String old = "<Rule><ID>one</ID><Prefix>a/</Prefix><Status>Disabled</Status>";
        assertThat(document(old + DAYS + "</Rule>")).isEqualTo(old + DAYS + "</Rule>");
        String filtered =
                "<Rule><ID>one</ID><Filter><And><Prefix>a</Prefix><Tag><Key>k</Key><Value>v</Value>"
                        + "</Tag><ObjectSizeGreaterThan>0</ObjectSizeGreaterThan>"
                        + "<ObjectSizeLessThan>9</ObjectSizeLessThan></And></Filter>"
                        + "<Status>Enabled</Status>"
                        + "<Expiration><Date>2026-11-21T00:00:00.000Z</Date></Expiration>"
                        + "<NoncurrentVersionExpiration><NoncurrentDays>2</NoncurrentDays>"
                        + "<NewerNoncurrentVersions>3</NewerNoncurrentVersions>"
                        + "</NoncurrentVersionExpiration></Rule>";
        assertThat(document(filtered)).isEqualTo(filtered);
        String markers =
                "<Rule><ID>one</ID><Filter></Filter><Status>Enabled</Status><Expiration>"
                        + "<ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>"
                        + "<AbortIncompleteMultipartUpload><DaysAfterInitiation>7</DaysAfterInitiation>"
                        + "</AbortIncompleteMultipartUpload></Rule>";
        assertThat(document(markers)).isEqualTo(markers);
        byte[] kept = parse(filtered).document();
        assertThat(LifecycleRules.parse(kept).document()).isEqualTo(kept);
    }

    @Test
    void rulesWithoutAnIdGetOne() {
        LifecycleRules rules =
                parse(
                        "<Rule><Prefix/><Status>Enabled</Status>%s</Rule><Rule><ID/><Prefix>x</Prefix><Status>Enabled</Status>%s</Rule>"
                                .formatted(DAYS, DAYS));
        assertThat(rules.rules()).hasSize(2).allSatisfy(r -> assertThat(r.id()).isNotEmpty());
        assertThat(rules.rules().get(0).id()).isNotEqualTo(rules.rules().get(1).id());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MalformedXML | ",
                "MalformedXML | <Rule/>",
                "MalformedXML | <Rule><Prefix/><Status>enabled</Status>D</Rule>",
                "MalformedXML | <Rule><Prefix/><Status>on</Status>D</Rule>",
                "MalformedXML | <Rule><Prefix/>D</Rule>",
                "MalformedXML | <Rule><Status>Enabled</Status>D</Rule>",
                "MalformedXML | <Rule><Prefix/><Filter/><Status>Enabled</Status>D</Rule>",
                "MalformedXML | <Rule><Filter><Prefix>a</Prefix><Tag><Key>k</Key><Value>v</Value></Tag></Filter><Status>Enabled</Status>D</Rule>",
                "MalformedXML | <Rule><Filter><And/></Filter><Status>Enabled</Status>D</Rule>",
                "MalformedXML | <Rule><Filter><Suffix>a</Suffix></Filter><Status>Enabled</Status>D</Rule>",
                "MalformedXML | <Rule><Prefix/><Status>Enabled</Status><Expiration/></Rule>",
                "MalformedXML | <Rule><Prefix/><Status>Enabled</Status><Expiration><Days>1</Days><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration></Rule>",
                "MalformedXML | <Rule><Prefix/><Status>Enabled</Status><Expiration><Days>1</Days><Date>2026-01-01T00:00:00Z</Date></Expiration></Rule>",
                "MalformedXML | <Rule><Prefix/><Status>Enabled</Status><Expiration><Days>soon</Days></Expiration></Rule>",
                "MalformedXML | <Rule><Prefix/><Status>Enabled</Status><Expiration><Date>20260101</Date></Expiration></Rule>",
                "InvalidArgument | <Rule><Prefix/><Status>Enabled</Status><Expiration><Date>2026-01-01T01:00:00Z</Date></Expiration></Rule>",
                "InvalidArgument | <Rule><Prefix/><Status>Enabled</Status><Expiration><Days>0</Days></Expiration></Rule>",
                "InvalidArgument | <Rule><Prefix/><Status>Enabled</Status><Expiration><Days>-1</Days></Expiration></Rule>",
                "InvalidArgument | <Rule><Prefix/><Status>Enabled</Status><NoncurrentVersionExpiration><NoncurrentDays>0</NoncurrentDays></NoncurrentVersionExpiration></Rule>",
                "InvalidArgument | <Rule><Prefix/><Status>Enabled</Status><NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays><NewerNoncurrentVersions>0</NewerNoncurrentVersions></NoncurrentVersionExpiration></Rule>",
                "InvalidArgument | <Rule><Prefix/><Status>Enabled</Status><AbortIncompleteMultipartUpload><DaysAfterInitiation>0</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule>",
                "MalformedXML | <Rule><Prefix/><Status>Enabled</Status><NoncurrentVersionExpiration/></Rule>",
                "InvalidRequest | <Rule><Prefix/><Status>Enabled</Status></Rule>",
                "InvalidRequest | <Rule><Filter><Tag><Key>k</Key><Value>v</Value></Tag></Filter><Status>Enabled</Status><Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration></Rule>",
                "InvalidRequest | <Rule><Filter><Tag><Key>k</Key><Value>v</Value></Tag></Filter><Status>Enabled</Status><AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule>",
                "InvalidRequest | <Rule><Filter><And><Tag><Key>k</Key><Value>v</Value></Tag><Tag><Key>k</Key><Value>w</Value></Tag></And></Filter><Status>Enabled</Status>D</Rule>",
                "InvalidRequest | <Rule><Filter><And><ObjectSizeGreaterThan>9</ObjectSizeGreaterThan><ObjectSizeLessThan>9</ObjectSizeLessThan></And></Filter><Status>Enabled</Status>D</Rule>",
                "NotImplemented | <Rule><Prefix/><Status>Enabled</Status><Transition><Days>1</Days><StorageClass>GLACIER</StorageClass></Transition></Rule>",
                "InvalidArgument | <Rule><ID>a</ID><Prefix/><Status>Enabled</Status>D</Rule><Rule><ID>a</ID><Prefix>x</Prefix><Status>Enabled</Status>D</Rule>",
            })
    void whatIsWrongIsRefused(String code, String rules) {
        String text = rules == null ? "" : rules.replace("D</Rule>", DAYS + "</Rule>");
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(S3Exception.class)
                .satisfies(e -> assertThat(((S3Exception) e).error().code()).isEqualTo(code));
    }

    @Test
    void idsAndTheirNumberHaveBounds() {
        String fits = "x".repeat(255);
        assertThat(parse(rule("<Prefix/>" + DAYS).replace("one", fits)).rules()).hasSize(1);
        assertThatThrownBy(() -> parse(rule("<Prefix/>" + DAYS).replace("one", fits + "x")))
                .hasMessageContaining("255");
        String thousand = rules(1000);
        assertThat(parse(thousand).rules()).hasSize(1000);
        assertThatThrownBy(() -> parse(rules(1001))).isInstanceOf(S3Exception.class);
    }

    private static String rules(int count) {
        return IntStream.range(0, count)
                .mapToObj(
                        i ->
                                "<Rule><ID>%d</ID><Prefix>%d</Prefix><Status>Enabled</Status>%s</Rule>"
                                        .formatted(i, i, DAYS))
                .collect(Collectors.joining());
    }
}
