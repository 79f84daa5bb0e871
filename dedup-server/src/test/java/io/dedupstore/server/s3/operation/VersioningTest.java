package io.dedupstore.server.s3.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents, headers and statuses of buckets with versions. */
class VersioningTest {
    private static final String NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";

    private final TestGateway gateway = new TestGateway();

    @BeforeEach
    void makeBucket() {
        gateway.send("PUT", "/docs");
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private Answer set(String status) {
        return gateway.put(
                "/docs?versioning",
                "<VersioningConfiguration xmlns=\"%s\"><Status>%s</Status></VersioningConfiguration>"
                        .formatted(NAMESPACE, status));
    }

    private String put(String body) {
        return gateway.put("/docs/k", body).header("x-amz-version-id");
    }

    private Answer post(String target, String document) {
        return gateway.send(
                new Call("POST", target)
                        .header("content-md5", Md5.base64(document))
                        .body(document));
    }

    @Test
    void aConfigurationIsAnsweredAsItWasSet() {
        assertThat(gateway.send("GET", "/docs?versioning").text())
                .endsWith(
                        "<VersioningConfiguration xmlns=\"%s\"></VersioningConfiguration>"
                                .formatted(NAMESPACE));
        assertThat(set("Enabled").status()).isEqualTo(200);
        assertThat(gateway.send("GET", "/docs?versioning").text())
                .endsWith(
                        "<VersioningConfiguration xmlns=\"%s\"><Status>Enabled</Status></VersioningConfiguration>"
                                .formatted(NAMESPACE));
        assertThat(set("Suspended").status()).isEqualTo(200);
        assertThat(gateway.send("GET", "/docs?versioning").element("Status"))
                .isEqualTo("Suspended");
        assertThat(gateway.send("DELETE", "/docs?versioning").code()).isEqualTo("NotImplemented");
    }

    @Test
    void theListingHasTheFormOfTheApi() {
        set("Enabled");
        String first = put("1");
        gateway.tick(Duration.ofSeconds(1));
        String marker = gateway.send("DELETE", "/docs/k").header("x-amz-version-id");
        String text = gateway.send("GET", "/docs?versions").text();
        assertThat(text)
                .contains("<ListVersionsResult xmlns=\"" + NAMESPACE + "\"><Name>docs</Name>")
                .contains("<KeyMarker></KeyMarker><VersionIdMarker></VersionIdMarker>")
                .contains("<MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated>")
                .contains(
                        "<DeleteMarker><VersionId>%s</VersionId><IsLatest>true</IsLatest><Key>k</Key>"
                                .formatted(marker))
                .contains(
                        "<Version><VersionId>%s</VersionId><IsLatest>false</IsLatest><Key>k</Key>"
                                .formatted(first));
        assertThat(text.indexOf("<DeleteMarker>")).isLessThan(text.indexOf("<Version>"));

        Answer page = gateway.send("GET", "/docs?versions&max-keys=1");
        assertThat(page.element("NextKeyMarker")).isEqualTo("k");
        assertThat(page.element("NextVersionIdMarker")).isEqualTo(marker);
        Answer rest =
                gateway.send("GET", "/docs?versions&key-marker=k&version-id-marker=" + marker);
        assertThat(rest.elements("VersionId")).containsExactly(first);
        assertThat(rest.element("VersionIdMarker")).isEqualTo(marker);
        assertThat(gateway.send("GET", "/docs?versions&version-id-marker=" + marker).code())
                .isEqualTo("InvalidArgument");
        assertThat(gateway.send("GET", "/docs?versions&key-marker=k&version-id-marker=x").code())
                .isEqualTo("InvalidArgument");
    }

    @Test
    void keysAreEncodedOnRequest() {
        set("Enabled");
        gateway.put("/docs/a%20b%26/%C3%BC", "x");
        String head = "/docs?versions&encoding-type=url&prefix=a%20";
        Answer answer = gateway.send("GET", head);
        assertThat(answer.element("Key")).isEqualTo("a%20b%26/%C3%BC");
        assertThat(answer.element("Prefix")).isEqualTo("a%20");
        assertThat(gateway.send("GET", head + "&delimiter=/").element("CommonPrefixes"))
                .isEqualTo("<Prefix>a%20b%26/</Prefix>");
    }

    @Test
    void whatIsDeletedSaysSo() {
        set("Enabled");
        String version = put("1");
        Answer deleted = gateway.send("DELETE", "/docs/k");
        String marker = deleted.header("x-amz-version-id");
        assertThat(deleted.status()).isEqualTo(204);
        assertThat(deleted.header("x-amz-delete-marker")).isEqualTo("true");
        for (String method : new String[] {"GET", "HEAD"}) {
            Answer gone = gateway.send(method, "/docs/k");
            assertThat(gone.status()).isEqualTo(404);
            assertThat(gone.header("x-amz-delete-marker")).isEqualTo("true");
            assertThat(gone.header("x-amz-version-id")).isEqualTo(marker);
            Answer asked = gateway.send(method, "/docs/k?versionId=" + marker);
            assertThat(asked.status()).isEqualTo(405);
            assertThat(asked.header("Allow")).isEqualTo("DELETE");
            assertThat(asked.header("x-amz-delete-marker")).isEqualTo("true");
            assertThat(asked.header("Last-Modified")).isNotEmpty();
            assertThat(gateway.send(method, "/docs/k?versionId=" + version).status())
                    .isEqualTo(200);
        }
        assertThat(gateway.send("GET", "/docs/k").element("Key")).isEqualTo("k");
        assertThat(gateway.send("GET", "/docs/k?versionId=" + marker).code())
                .isEqualTo("MethodNotAllowed");
        assertThat(
                        gateway.send("DELETE", "/docs/k?versionId=" + version)
                                .headers()
                                .contains("x-amz-delete-marker"))
                .isFalse();
        Answer missing = gateway.send("GET", "/docs/k?versionId=" + version);
        assertThat(missing.code()).isEqualTo("NoSuchVersion");
        assertThat(missing.element("VersionId")).isEqualTo(version);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "NULL",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "AAYkCPl4wAAAAAABAAAAAQAAAAAAAAA=",
                "________________________________"
            })
    void whatIsNoVersionIdIsRefused(String id) {
        set("Enabled");
        put("1");
        for (String method : new String[] {"GET", "DELETE"}) {
            assertThat(gateway.send(method, "/docs/k?versionId=" + id).code())
                    .isEqualTo("InvalidArgument");
        }
        assertThat(gateway.send("GET", "/docs/k").text()).isEqualTo("1");
    }

    @Test
    void conditionsOfReadsAreThoseOfTheVersion() {
        set("Enabled");
        String first = put("1");
        String etag = gateway.send("HEAD", "/docs/k").header("ETag");
        put("2");
        Call call = new Call("GET", "/docs/k?versionId=" + first).header("if-none-match", etag);
        Answer unchanged = gateway.send(call);
        assertThat(unchanged.status()).isEqualTo(304);
        assertThat(unchanged.header("x-amz-version-id")).isEqualTo(first);
        assertThat(gateway.send(new Call("GET", "/docs/k").header("if-match", etag)).status())
                .isEqualTo(412);
    }

    @Test
    void manyDeletesSayWhatTheyDid() {
        set("Enabled");
        String version = put("1");
        Answer first = post("/docs?delete", "<Delete><Object><Key>k</Key></Object></Delete>");
        String marker = first.element("DeleteMarkerVersionId");
        assertThat(first.element("Deleted"))
                .isEqualTo(
                        "<Key>k</Key><DeleteMarker>true</DeleteMarker><DeleteMarkerVersionId>%s</DeleteMarkerVersionId>"
                                .formatted(marker));
        String both =
                "<Delete><Object><Key>k</Key><VersionId>%s</VersionId></Object><Object><Key>k</Key><VersionId>%s</VersionId></Object><Object><Key>k</Key><VersionId>x</VersionId></Object></Delete>"
                        .formatted(marker, version);
        Answer second = post("/docs?delete", both);
        assertThat(second.elements("Deleted"))
                .containsExactly(
                        "<Key>k</Key><VersionId>%s</VersionId><DeleteMarker>true</DeleteMarker><DeleteMarkerVersionId>%s</DeleteMarkerVersionId>"
                                .formatted(marker, marker),
                        "<Key>k</Key><VersionId>%s</VersionId>".formatted(version));
        assertThat(second.element("Error"))
                .startsWith("<Key>k</Key><VersionId>x</VersionId><Code>InvalidArgument</Code>");
        assertThat(gateway.send("DELETE", "/docs").status()).isEqualTo(204);
    }

    @Test
    void aDeleteMayAskForSizeAndTime() {
        put("1");
        String time = gateway.send("HEAD", "/docs/k").header("Last-Modified");
        assertThat(deleteIf("x-amz-if-match-size", "2")).isEqualTo("PreconditionFailed");
        assertThat(deleteIf("x-amz-if-match-size", "x")).isEqualTo("InvalidArgument");
        assertThat(deleteIf("x-amz-if-match-last-modified-time", "Mon, 01 Jan 2001 00:00:00 GMT"))
                .isEqualTo("PreconditionFailed");
        assertThat(deleteIf("x-amz-if-match-last-modified-time", time)).isEqualTo("204");
        assertThat(deleteIf("x-amz-if-match-size", "5")).isEqualTo("204");
        assertThat(deleteIf("if-match", "*")).isEqualTo("NoSuchKey");
    }

    private String deleteIf(String header, String value) {
        return gateway.send(new Call("DELETE", "/docs/k").header(header, value)).code();
    }

    @Test
    void copiesSayWhichVersionTheyAreOf() {
        String plain = gateway.put("/docs/k", "0").header("ETag");
        Answer copy =
                gateway.send(new Call("PUT", "/docs/c").header("x-amz-copy-source", "/docs/k"));
        assertThat(copy.element("ETag")).isNotEmpty();
        assertThat(copy.headers().contains("x-amz-copy-source-version-id")).isFalse();
        set("Enabled");
        Answer named =
                gateway.send(
                        new Call("PUT", "/docs/k")
                                .header("x-amz-copy-source", "/docs/k?versionId=null"));
        assertThat(named.header("x-amz-copy-source-version-id")).isEqualTo("null");
        assertThat(named.header("x-amz-version-id")).isNotEmpty();
        assertThat(gateway.send("HEAD", "/docs/k").header("ETag")).isEqualTo(plain);
        assertThat(
                        gateway.send(
                                        new Call("PUT", "/docs/c")
                                                .header("x-amz-copy-source", "/docs/k?versionId=x"))
                                .code())
                .isEqualTo("InvalidArgument");
    }
}
