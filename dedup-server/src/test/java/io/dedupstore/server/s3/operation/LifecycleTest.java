package io.dedupstore.server.s3.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.server.s3.lifecycle.LifecycleStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rules from the request that sets them to what they do; days of ten seconds. */
class LifecycleTest {
    private static final Duration DAY = TestGateway.LIFECYCLE_DAY;
    private final TestGateway gateway = new TestGateway();

    @BeforeEach
    void makeBucket() {
        assertThat(gateway.put("/life", "").status()).isEqualTo(200);
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private void rules(String... rules) {
        StringBuilder document = new StringBuilder("<LifecycleConfiguration>");
        for (int i = 0; i < rules.length; i++) {
            document.append("<Rule><ID>r%d</ID><Status>Enabled</Status>".formatted(i))
                    .append(rules[i])
                    .append("</Rule>");
        }
        String bytes = (document + "</LifecycleConfiguration>");
        Answer answer =
                gateway.send(
                        new Call("PUT", "/life?lifecycle")
                                .header("content-md5", Md5.base64(bytes))
                                .body(bytes));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.header("x-amz-transition-default-minimum-object-size"))
                .isEqualTo("all_storage_classes_128K");
    }

    private void versioning(String status) {
        String bytes =
                ("<VersioningConfiguration><Status>"
                        + status
                        + "</Status></VersioningConfiguration>");
        assertThat(
                        gateway.send(
                                        new Call("PUT", "/life?versioning")
                                                .header("content-md5", Md5.base64(bytes))
                                                .body(bytes))
                                .status())
                .isEqualTo(200);
    }

    private List<String> keys() {
        return gateway.send("GET", "/life").elements("Key");
    }

    private static String days(String filter, int days) {
        return filter + "<Expiration><Days>" + days + "</Days></Expiration>";
    }

    @Test
    void areSetReadAndDeleted() {
        assertThat(gateway.send("GET", "/life?lifecycle").code())
                .isEqualTo("NoSuchLifecycleConfiguration");
        rules(days("<Filter><Prefix>a/</Prefix></Filter>", 3));
        Answer got = gateway.send("GET", "/life?lifecycle");
        assertThat(got.status()).isEqualTo(200);
        assertThat(got.element("ID")).isEqualTo("r0");
        assertThat(got.element("Days")).isEqualTo("3");
        assertThat(gateway.send("DELETE", "/life?lifecycle").status()).isEqualTo(204);
        assertThat(gateway.send("GET", "/life?lifecycle").status()).isEqualTo(404);
        assertThat(gateway.send("DELETE", "/life?lifecycle").status()).isEqualTo(204);
    }

    @Test
    void aDocumentWithoutADigestIsRefused() {
        Answer answer = gateway.put("/life?lifecycle", "<LifecycleConfiguration/>");
        assertThat(answer.code()).isEqualTo("InvalidRequest");
    }

    @Test
    void objectsExpireAfterDays() {
        rules(days("<Prefix>one/</Prefix>", 1), days("<Prefix>five/</Prefix>", 5));
        for (String key : List.of("one/a", "one/b", "five/a", "keep/a")) {
            gateway.put("/life/" + key, key);
        }
        gateway.tick(DAY.minusMillis(1));
        gateway.runLifecycle();
        assertThat(keys()).hasSize(4);
        gateway.tick(Duration.ofMillis(1));
        LifecycleStatus status = gateway.runLifecycle();
        assertThat(keys()).containsExactly("five/a", "keep/a");
        assertThat(status.expired()).isEqualTo(2);
        gateway.tick(DAY.multipliedBy(4));
        gateway.runLifecycle();
        assertThat(keys()).containsExactly("keep/a");
        assertThat(gateway.runLifecycle().failed()).isZero();
    }

    @Test
    void objectsExpireOnDates() {
        gateway.put("/life/past/a", "1");
        gateway.put("/life/future/a", "1");
        rules(
                "<Prefix>past/</Prefix><Expiration><Date>2015-01-01T00:00:00Z</Date></Expiration>",
                "<Prefix>future/</Prefix><Expiration><Date>2030-01-01</Date></Expiration>");
        gateway.runLifecycle();
        assertThat(keys()).containsExactly("future/a");
    }

    @Test
    void filtersAreHeldAgainstTagsAndSizes() {
        gateway.send(
                new Call("PUT", "/life/tagged").header("x-amz-tagging", "a=1&b=2").body("1234"));
        gateway.send(new Call("PUT", "/life/half").header("x-amz-tagging", "a=1").body("1234"));
        gateway.put("/life/small", "1");
        gateway.put("/life/large", "12345678");
        rules(
                days(
                        "<Filter><And><Tag><Key>a</Key><Value>1</Value></Tag>"
                                + "<Tag><Key>b</Key><Value>2</Value></Tag></And></Filter>",
                        1),
                days("<Filter><ObjectSizeLessThan>2</ObjectSizeLessThan></Filter>", 1),
                days("<Filter><ObjectSizeGreaterThan>7</ObjectSizeGreaterThan></Filter>", 1));
        gateway.tick(DAY);
        gateway.runLifecycle();
        assertThat(keys()).containsExactly("half");
    }

    @Test
    void disabledRulesRest() {
        String bytes =
                ("<LifecycleConfiguration><Rule><Prefix/><Status>Disabled</Status><Expiration>"
                        + "<Days>1</Days></Expiration></Rule></LifecycleConfiguration>");
        gateway.send(
                new Call("PUT", "/life?lifecycle")
                        .header("content-md5", Md5.base64(bytes))
                        .body(bytes));
        Answer put = gateway.put("/life/k", "1");
        assertThat(put.header("x-amz-expiration")).isEmpty();
        gateway.tick(DAY.multipliedBy(10));
        gateway.runLifecycle();
        assertThat(keys()).containsExactly("k");
    }

    @Test
    void underVersioningADeleteMarkerComes() {
        versioning("Enabled");
        gateway.put("/life/k", "1");
        rules(days("<Prefix/>", 1));
        gateway.tick(DAY);
        gateway.runLifecycle();
        assertThat(keys()).isEmpty();
        Answer versions = gateway.send("GET", "/life?versions");
        assertThat(versions.elements("Version")).hasSize(1);
        assertThat(versions.elements("DeleteMarker")).hasSize(1);
        gateway.runLifecycle();
        assertThat(gateway.send("GET", "/life?versions").elements("DeleteMarker")).hasSize(1);
    }

    @Test
    void noncurrentVersionsGoButForTheNewest() {
        versioning("Enabled");
        for (int i = 0; i < 5; i++) {
            gateway.put("/life/k", "version " + i);
            gateway.tick(Duration.ofSeconds(1));
        }
        rules(
                "<Prefix/><NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays>"
                        + "<NewerNoncurrentVersions>2</NewerNoncurrentVersions>"
                        + "</NoncurrentVersionExpiration>");
        gateway.runLifecycle();
        assertThat(gateway.send("GET", "/life?versions").elements("Version")).hasSize(5);
        gateway.tick(DAY);
        LifecycleStatus status = gateway.runLifecycle();
        assertThat(status.removed()).isEqualTo(2);
        assertThat(gateway.send("GET", "/life?versions").elements("Version")).hasSize(3);
        assertThat(gateway.send("GET", "/life/k").text()).isEqualTo("version 4");
    }

    @Test
    void aVersionsAgeBeginsWhenItIsReplaced() {
        versioning("Enabled");
        gateway.put("/life/k", "old");
        rules(
                "<Prefix/><NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays>"
                        + "</NoncurrentVersionExpiration>");
        gateway.tick(DAY.multipliedBy(5));
        gateway.put("/life/k", "new");
        gateway.tick(DAY.minusMillis(10));
        gateway.runLifecycle();
        assertThat(gateway.send("GET", "/life?versions").elements("Version")).hasSize(2);
        gateway.tick(Duration.ofMillis(20));
        gateway.runLifecycle();
        assertThat(gateway.send("GET", "/life?versions").elements("Version")).hasSize(1);
    }

    @Test
    void deleteMarkersThatHideNothingGo() {
        versioning("Enabled");
        for (String key : List.of("a", "b", "c")) {
            gateway.put("/life/" + key, "1");
            gateway.send("DELETE", "/life/" + key);
        }
        String version =
                gateway.send("GET", "/life?versions&prefix=b")
                        .elements("Version")
                        .getFirst()
                        .replaceAll("(?s).*<VersionId>(.*?)</VersionId>.*", "$1");
        assertThat(gateway.send("DELETE", "/life/b?versionId=" + version).status())
                .as(version)
                .isEqualTo(204);
        assertThat(gateway.send("GET", "/life?versions&prefix=b").text())
                .doesNotContain("<Version>");
        rules(
                "<Prefix/><Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker>"
                        + "</Expiration>");
        LifecycleStatus status = gateway.runLifecycle();
        assertThat(status.tidied()).isEqualTo(1);
        Answer versions = gateway.send("GET", "/life?versions");
        assertThat(versions.elements("DeleteMarker")).hasSize(2);
        assertThat(versions.elements("Key")).containsExactly("a", "a", "c", "c");
    }

    @Test
    void uploadsThatWereNotCompletedAreAborted() {
        gateway.send("POST", "/life/old/x?uploads");
        gateway.send("POST", "/life/other?uploads");
        rules(
                "<Prefix>old/</Prefix><AbortIncompleteMultipartUpload>"
                        + "<DaysAfterInitiation>2</DaysAfterInitiation>"
                        + "</AbortIncompleteMultipartUpload>");
        gateway.tick(DAY);
        gateway.runLifecycle();
        assertThat(gateway.send("GET", "/life?uploads").elements("Key")).hasSize(2);
        gateway.tick(DAY);
        assertThat(gateway.runLifecycle().aborted()).isEqualTo(1);
        assertThat(gateway.send("GET", "/life?uploads").elements("Key")).containsExactly("other");
    }

    @Test
    void answersSayWhenAnObjectWillExpire() {
        rules(days("<Prefix>days/</Prefix>", 1), days("<Prefix>days/</Prefix>", 8));
        Answer put = gateway.put("/life/days/k", "1");
        String header = "expiry-date=\"Sun, 04 Jan 2026 00:00:00 GMT\", rule-id=\"r0\"";
        assertThat(put.header("x-amz-expiration")).isEqualTo(header);
        assertThat(gateway.send("HEAD", "/life/days/k").header("x-amz-expiration"))
                .isEqualTo(header);
        assertThat(gateway.send("GET", "/life/days/k").header("x-amz-expiration"))
                .isEqualTo(header);
        assertThat(gateway.put("/life/k", "1").header("x-amz-expiration")).isEmpty();
        Answer copy =
                gateway.send(
                        new Call("PUT", "/life/days/copy").header("x-amz-copy-source", "life/k"));
        assertThat(copy.header("x-amz-expiration")).isEqualTo(header);
    }
}
