package io.dedupstore.server.s3.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectTaggingTest {
    private static final String TWO = tag("a", "1") + tag("b", "");

    private final TestGateway gateway = new TestGateway();

    @BeforeEach
    void makeBucket() {
        gateway.send("PUT", "/docs");
        gateway.put("/docs/k", "x");
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private static String tag(String key, String value) {
        return "<Tag><Key>" + key + "</Key><Value>" + value + "</Value></Tag>";
    }

    private Answer set(String target, String tags) {
        String document = "<Tagging><TagSet>" + tags + "</TagSet></Tagging>";
        return gateway.send(
                new Call("PUT", target + "?tagging")
                        .header("content-md5", Md5.base64(document))
                        .body(document));
    }

    private String tagsOf(String target) {
        return gateway.send("GET", target + "?tagging").element("TagSet");
    }

    @Test
    void tagsChangeAndTheVersionStays() {
        Answer before = gateway.send("HEAD", "/docs/k");
        gateway.tick(Duration.ofHours(1));
        assertThat(tagsOf("/docs/k")).isEmpty();
        assertThat(before.headers().contains("x-amz-tagging-count")).isFalse();

        assertThat(set("/docs/k", TWO).status()).isEqualTo(200);

        assertThat(tagsOf("/docs/k")).isEqualTo(TWO);
        Answer after = gateway.send("HEAD", "/docs/k");
        assertThat(after.header("x-amz-tagging-count")).isEqualTo("2");
        assertThat(after.header("Last-Modified")).isEqualTo(before.header("Last-Modified"));
        assertThat(after.header("ETag")).isEqualTo(before.header("ETag"));
        assertThat(gateway.send("GET", "/docs/k").header("x-amz-tagging-count")).isEqualTo("2");

        set("/docs/k", tag("c", "3"));
        assertThat(tagsOf("/docs/k")).isEqualTo(tag("c", "3"));
        assertThat(gateway.send("DELETE", "/docs/k?tagging").status()).isEqualTo(204);
        assertThat(gateway.send("DELETE", "/docs/k?tagging").status()).isEqualTo(204);
        assertThat(tagsOf("/docs/k")).isEmpty();
    }

    @Test
    void anOverwriteHasItsOwnTags() {
        set("/docs/k", TWO);
        gateway.put("/docs/k", "y");
        assertThat(tagsOf("/docs/k")).isEmpty();

        gateway.send(
                new Call("PUT", "/docs/k").header("x-amz-tagging", "a%20b=%C3%BC&c").body("z"));
        assertThat(tagsOf("/docs/k")).isEqualTo(tag("a b", "ü") + tag("c", ""));
    }

    @Test
    void aCopyTakesTagsAlongUnlessItIsGivenOthers() {
        set("/docs/k", TWO);
        gateway.send(new Call("PUT", "/docs/same").header("x-amz-copy-source", "/docs/k"));
        assertThat(tagsOf("/docs/same")).isEqualTo(TWO);

        gateway.send(
                new Call("PUT", "/docs/metadata")
                        .header("x-amz-copy-source", "/docs/k")
                        .header("x-amz-metadata-directive", "REPLACE"));
        assertThat(tagsOf("/docs/metadata")).isEqualTo(TWO);

        gateway.send(
                new Call("PUT", "/docs/other")
                        .header("x-amz-copy-source", "/docs/k")
                        .header("x-amz-tagging-directive", "REPLACE")
                        .header("x-amz-tagging", "n=1"));
        assertThat(tagsOf("/docs/other")).isEqualTo(tag("n", "1"));

        Call unknown =
                new Call("PUT", "/docs/no")
                        .header("x-amz-copy-source", "/docs/k")
                        .header("x-amz-tagging-directive", "MERGE");
        assertThat(gateway.send(unknown).code()).isEqualTo("InvalidArgument");
    }

    @Test
    void anUploadGivesItsTagsToWhatItBecomes() {
        Answer upload =
                gateway.send(new Call("POST", "/docs/m?uploads").header("x-amz-tagging", "a=1"));
        String id = upload.element("UploadId");
        Answer part = gateway.put("/docs/m?partNumber=1&uploadId=" + id, "x");
        String parts =
                "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>"
                        + part.header("ETag")
                        + "</ETag></Part></CompleteMultipartUpload>";
        gateway.send(new Call("POST", "/docs/m?uploadId=" + id).body(parts));
        assertThat(tagsOf("/docs/m")).isEqualTo(tag("a", "1"));
    }

    @ParameterizedTest
    @CsvSource({
        "a=1&a=2, InvalidArgument",
        "a=%zz, InvalidArgument",
        "aws:a=1, InvalidTag",
        "a=%7B, InvalidTag",
        "=1, InvalidTag",
        "a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9&j=10&k=11, BadRequest"
    })
    void aHeaderThatMakesNoSenseIsRefusedBeforeTheBodyIsRead(String header, String code) {
        Call call = new Call("PUT", "/docs/new").header("x-amz-tagging", header).body("x");
        assertThat(gateway.send(call).code()).isEqualTo(code);
        assertThat(call.bodyRead()).isFalse();
        assertThat(gateway.send("HEAD", "/docs/new").status()).isEqualTo(404);
    }

    @Test
    void anObjectHasTenTagsAtMostAndHasToBeThere() {
        StringBuilder tags = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            tags.append(tag("k" + i, "v".repeat(256)));
        }
        assertThat(set("/docs/k", tags.toString()).status()).isEqualTo(200);
        assertThat(set("/docs/k", tags + tag("k", "")).code()).isEqualTo("BadRequest");
        assertThat(set("/docs/k", tag("k", "v".repeat(257))).code()).isEqualTo("InvalidTag");
        assertThat(set("/docs/k", tag("k".repeat(129), "")).code()).isEqualTo("InvalidTag");
        assertThat(tagsOf("/docs/k")).isEqualTo(tags.toString());
        assertThat(set("/docs/none", TWO).code()).isEqualTo("NoSuchKey");
        assertThat(gateway.send("GET", "/docs/none?tagging").code()).isEqualTo("NoSuchKey");
        assertThat(gateway.send("DELETE", "/docs/none?tagging").code()).isEqualTo("NoSuchKey");
        assertThat(gateway.put("/docs/k?tagging", "<Tagging/>").code()).isEqualTo("InvalidRequest");
    }

    @Test
    void onlyTheOwnerTags() {
        String document = "<Tagging><TagSet>" + TWO + "</TagSet></Tagging>";
        for (String caller : new String[] {"another", "anonymous"}) {
            Call put =
                    new Call("PUT", "/docs/k?tagging")
                            .header("content-md5", Md5.base64(document))
                            .body(document);
            assertThat(gateway.sendAs(caller, put).code()).isEqualTo("AccessDenied");
            Call get = new Call("GET", "/docs/k?tagging");
            assertThat(gateway.sendAs(caller, get).code()).isEqualTo("AccessDenied");
        }
        assertThat(tagsOf("/docs/k")).isEmpty();
    }
}
