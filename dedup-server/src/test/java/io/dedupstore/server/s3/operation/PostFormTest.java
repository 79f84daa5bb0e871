package io.dedupstore.server.s3.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostFormTest {
    private static final String LATER = "2026-01-02T04:00:00.000Z";
    private final TestGateway gateway = new TestGateway();

    @BeforeEach
    void makeBucket() {
        assertThat(gateway.put("/bucket", "").status()).isEqualTo(200);
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private Answer send(Form form) {
        return gateway.sendAs("anonymous", form.to("bucket"));
    }

    private static String policy(String conditions) {
        return "{\"expiration\": \"%s\", \"conditions\": [%s]}".formatted(LATER, conditions);
    }

    private static final String USUAL =
            """
            {"bucket": "bucket"},
            ["starts-with", "$key", "foo"],
            {"acl": "private"},
            ["starts-with", "$Content-Type", "text/"],
            ["content-length-range", 0, 1024]""";

    private static Form usual() {
        return new Form()
                .field("key", "foo.txt")
                .field("acl", "private")
                .field("Content-Type", "text/plain")
                .signed2(policy(USUAL))
                .file("local.txt", "bar");
    }

    @Test
    void storesTheFileUnderTheKey() {
        Answer answer = send(usual());
        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.body()).isEmpty();
        assertThat(answer.header("etag")).isEqualTo("\"37b51d194a7513e45b56f6524f2d51f2\"");
        assertThat(answer.header("location")).isEqualTo("http://localhost:9000/bucket/foo.txt");
        Answer got = gateway.send("GET", "/bucket/foo.txt");
        assertThat(got.text()).isEqualTo("bar");
        assertThat(got.header("content-type")).isEqualTo("text/plain");
    }

    @Test
    void takesSignaturesOfVersionFour() {
        Form form =
                new Form()
                        .field("key", "foo.txt")
                        .signed4(
                                policy(
                                        "{\"bucket\": \"bucket\"}, [\"eq\", \"$key\", \"foo.txt\"],"
                                                + Form.conditions4()))
                        .file("x", "bar");
        assertThat(send(form).status()).isEqualTo(204);
        assertThat(gateway.send("GET", "/bucket/foo.txt").header("content-type"))
                .isEqualTo("binary/octet-stream");
        Answer forged = send(form.field("x-amz-signature", "0".repeat(64)));
        assertThat(forged.status()).isEqualTo(403);
        assertThat(forged.code()).isEqualTo("SignatureDoesNotMatch");
    }

    @Test
    void fileIsStreamedThroughWhateverItsBytes() {
        byte[] file = new byte[3 << 20];
        new Random(7).nextBytes(file);
        byte[] nearBoundaries = "\r\n--\r\n------WebKitFormBoundary7MA4YWxkTrZu0g\r\n".getBytes();
        System.arraycopy(nearBoundaries, 0, file, 65_520, nearBoundaries.length);
        String conditions = "{\"bucket\": \"bucket\"}, [\"starts-with\", \"$key\", \"\"]";
        Form form = new Form().field("key", "big").signed2(policy(conditions)).file("x", file);
        assertThat(send(form).status()).isEqualTo(204);
        assertThat(gateway.send("GET", "/bucket/big").body()).isEqualTo(file);
    }

    @Test
    void fileNameStandsInTheKey() {
        Form form = usual().field("key", "foo/${filename}").file("C:\\dir\\a b.txt", "bar");
        assertThat(send(form).status()).isEqualTo(204);
        assertThat(gateway.send("GET", "/bucket/foo/a%20b.txt").text()).isEqualTo("bar");
    }

    @Test
    void answersAsTheFormWishes() {
        String status = ", [\"eq\", \"$success_action_status\", \"%s\"]";
        for (String code : new String[] {"200", "204", "404"}) {
            Form form =
                    usual().field("success_action_status", code)
                            .signed2(policy(USUAL + status.formatted(code)));
            Answer answer = send(form);
            assertThat(answer.status()).isEqualTo(code.equals("200") ? 200 : 204);
            assertThat(answer.body()).isEmpty();
        }
        Answer created =
                send(
                        usual().field("success_action_status", "201")
                                .signed2(policy(USUAL + status.formatted("201"))));
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.text())
                .contains("<PostResponse><Location>http://localhost:9000/bucket/foo.txt</Location>")
                .contains("<Bucket>bucket</Bucket><Key>foo.txt</Key>")
                .contains("<ETag>&quot;37b51d194a7513e45b56f6524f2d51f2&quot;</ETag>");
    }

    @Test
    void sendsTheBrowserOn() {
        String redirect = ", [\"eq\", \"$success_action_redirect\", \"%s\"]";
        Answer answer =
                send(
                        usual().field("success_action_redirect", "http://example.com/done?x=1")
                                .signed2(
                                        policy(
                                                USUAL
                                                        + redirect.formatted(
                                                                "http://example.com/done?x=1"))));
        assertThat(answer.status()).isEqualTo(303);
        assertThat(answer.header("location"))
                .isEqualTo(
                        "http://example.com/done?x=1&bucket=bucket&key=foo.txt&etag=%2237b51d194a7513e45b56f6524f2d51f2%22");
        Answer unreadable =
                send(
                        usual().field("success_action_redirect", "no address")
                                .signed2(policy(USUAL + redirect.formatted("no address"))));
        assertThat(unreadable.status()).isEqualTo(204);
    }

    @Test
    void fieldsAreTheHeadersOfAnObject() {
        String conditions =
                USUAL
                        + """
                        , ["eq", "$x-amz-meta-foo", "barclamp"], ["starts-with", "$tagging", ""],
                        {"cache-control": "no-cache"}""";
        Form form =
                usual().field("x-amz-meta-foo", "barclamp")
                        .field("Cache-Control", "no-cache")
                        .field(
                                "tagging",
                                "<Tagging><TagSet><Tag><Key>a b</Key><Value>1+2</Value></Tag>"
                                        + "</TagSet></Tagging>")
                        .signed2(policy(conditions));
        assertThat(send(form).status()).isEqualTo(204);
        Answer head = gateway.send("HEAD", "/bucket/foo.txt");
        assertThat(head.header("x-amz-meta-foo")).isEqualTo("barclamp");
        assertThat(head.header("cache-control")).isEqualTo("no-cache");
        assertThat(gateway.send("GET", "/bucket/foo.txt?tagging").text())
                .contains("<Key>a b</Key><Value>1+2</Value>");
        assertThat(send(form.field("tagging", "<Tagging>")).code()).isEqualTo("MalformedXML");
    }

    @Test
    void refusesFieldsThatNoHeaderCouldCarry() {
        for (String[] field :
                new String[][] {
                    {"cache-control", "a\r\nset-cookie: b"},
                    {"x-amz-meta-a b", "c"},
                    {"x-amz-meta-a", "b\u0000"}
                }) {
            String condition = ", [\"starts-with\", \"$%s\", \"\"]".formatted(field[0]);
            Form form = usual().field(field[0], field[1]).signed2(policy(USUAL + condition));
            assertThat(send(form).status()).isEqualTo(400);
        }
        assertThat(gateway.send("GET", "/bucket/foo.txt").status()).isEqualTo(404);
    }

    @Test
    void checksumsAreVerified() {
        String conditions = USUAL + ", [\"starts-with\", \"$x-amz-checksum-sha256\", \"\"]";
        Form form =
                usual().field(
                                "x-amz-checksum-sha256",
                                "/N4rLtula/QIYB+3If6bXDONEO5CnqBPrlURto+/j7k=")
                        .signed2(policy(conditions));
        Answer answer = send(form);
        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.header("x-amz-checksum-sha256"))
                .isEqualTo("/N4rLtula/QIYB+3If6bXDONEO5CnqBPrlURto+/j7k=");
        assertThat(send(form.file("x", "baz")).code()).isEqualTo("BadDigest");
        assertThat(send(form.field("x-amz-checksum-sha256", "short")).code())
                .isEqualTo("InvalidRequest");
    }

    @Test
    void namesOfFieldsAndOperatorsHaveNoCase() {
        String conditions =
                """
                {"bUcKeT": "bucket"}, ["StArTs-WiTh", "$KeY", "foo"], {"AcL": "private"},
                ["eQ", "$CoNtEnT-TyPe", "text/plain"], ["content-length-RANGE", "0", "10"]""";
        Form form =
                new Form()
                        .field("kEy", "foo.txt")
                        .field("aCl", "private")
                        .field("Content-Type", "text/plain")
                        .signed2(policy(conditions))
                        .file("x", "bar");
        assertThat(send(form).status()).isEqualTo(204);
    }

    @Test
    void dollarsMayBeEscapedInPolicies() {
        String conditions = "{\"bucket\": \"bucket\"}, [\"starts-with\", \"$key\", \"\\$foo\"]";
        Form form =
                new Form().field("key", "$foo.txt").signed2(policy(conditions)).file("x", "bar");
        assertThat(send(form).status()).isEqualTo(204);
        String backslash = "{\"bucket\": \"bucket\"}, [\"starts-with\", \"$key\", \"\\\\$foo\"]";
        form = new Form().field("key", "\\$foo.txt").signed2(policy(backslash)).file("x", "bar");
        assertThat(send(form).status()).isEqualTo(204);
        assertThat(gateway.send("GET", "/bucket/%5C$foo.txt").text()).isEqualTo("bar");
    }

    @Test
    void whatThePolicyDoesNotAllowIsDenied() {
        denied(usual().field("key", "bar.txt"), "Policy Condition failed");
        denied(usual().field("acl", "public-read"), "Policy Condition failed");
        denied(usual().without("Content-Type"), "Policy Condition failed");
        denied(usual().field("x-amz-meta-more", "1"), "Extra input fields: x-amz-meta-more");
        denied(
                usual().signed2(policy(USUAL.replace("{\"bucket\": \"bucket\"},", ""))),
                "Extra input fields: bucket");
        denied(
                usual().signed2(
                                policy(
                                        USUAL.replace(
                                                "\"bucket\": \"bucket\"", "\"bucket\": \"x\""))),
                "Policy Condition failed: [&quot;eq&quot;, &quot;$bucket&quot;, &quot;x&quot;]");
        denied(usual().signed2(policy("")), "Extra input fields");
        denied(
                usual().signed2(policy(USUAL).replace(LATER, "2026-01-02T03:04:05.000Z")),
                "Policy expired.");
        assertThat(send(usual().field("x-ignore-this", "1")).status()).isEqualTo(204);
    }

    private void denied(Form form, String message) {
        Answer answer = send(form);
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.code()).isEqualTo("AccessDenied");
        assertThat(answer.element("Message"))
                .startsWith("Invalid according to Policy: ")
                .contains(message);
        assertThat(gateway.send("GET", "/bucket/foo.txt").status()).isEqualTo(404);
    }

    @Test
    void lengthsHaveBounds() {
        Answer large = send(usual().file("x", "b".repeat(1025)));
        assertThat(large.status()).isEqualTo(400);
        assertThat(large.code()).isEqualTo("EntityTooLarge");
        assertThat(large.element("MaxSizeAllowed")).isEqualTo("1024");
        Answer small = send(usual().signed2(policy(USUAL.replace("0, 1024", "4, 1024"))));
        assertThat(small.status()).isEqualTo(400);
        assertThat(small.code()).isEqualTo("EntityTooSmall");
        assertThat(small.element("ProposedSize")).isEqualTo("3");
        assertThat(gateway.send("GET", "/bucket/foo.txt").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no json",
                "[]",
                "{\"expiration\": \"2026-01-02T04:00:00.000Z\"}",
                "{\"conditions\": []}",
                "{\"EXPIRATION\": \"2026-01-02T04:00:00.000Z\", \"conditions\": []}",
                "{\"expiration\": \"2026-01-02T04:00:00.000Z\", \"CONDITIONS\": []}",
                "{\"expiration\": \"2026-01-02 04:00:00\", \"conditions\": []}",
                "{\"expiration\": \"2026-01-02T04:00:00.000Z\", \"conditions\": {}}",
                "{\"expiration\": \"2026-01-02T04:00:00.000Z\", \"conditions\": [{}]}",
                "{\"expiration\": \"2026-01-02T04:00:00.000Z\", \"conditions\": [[]]}",
                "{\"expiration\": \"2026-01-02T04:00:00.000Z\", \"conditions\": [[\"in\", \"$key\", \"\"]]}",
                "{\"expiration\": \"2026-01-02T04:00:00.000Z\", \"conditions\": [[\"eq\", \"$key\"]]}",
                "{\"expiration\": \"2026-01-02T04:00:00.000Z\", \"conditions\": [[\"eq\", \"key\", \"\"]]}",
                "{\"expiration\": \"2026-01-02T04:00:00.000Z\", \"conditions\": [[\"content-length-range\", 0]]}",
                "{\"expiration\": \"2026-01-02T04:00:00.000Z\", \"conditions\": [[\"content-length-range\", -1, 0]]}",
                "{\"expiration\": \"2026-01-02T04:00:00.000Z\", \"conditions\": [[\"content-length-range\", 1.5, 2]]}",
                "{\"expiration\": \"2026-01-02T04:00:00.000Z\", \"conditions\": [[[[[[[[[[]]]]]]]]]]}",
            })
    void policiesThatCannotBeReadAreInvalid(String policy) {
        Answer answer = send(usual().signed2(policy));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("InvalidPolicyDocument");
    }

    @Test
    void whatIsMissingIsNamed() {
        for (String field : new String[] {"key", "policy", "signature", "AWSAccessKeyId"}) {
            Answer answer = send(usual().without(field));
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.code()).isEqualTo("InvalidArgument");
            assertThat(answer.element("ArgumentName")).isEqualToIgnoringCase(field);
        }
        Answer answer = gateway.sendAs("anonymous", new Form().field("key", "k").to("bucket"));
        assertThat(answer.code()).isEqualTo("InvalidArgument");
        assertThat(answer.element("Message"))
                .isEqualTo("POST requires exactly one file upload per request.");
    }

    @Test
    void onlyAKnownKeysSignatureCounts() {
        Answer unknown = send(usual().field("AWSAccessKeyId", "nobody"));
        assertThat(unknown.status()).isEqualTo(403);
        assertThat(unknown.code()).isEqualTo("InvalidAccessKeyId");
        Answer forged = send(usual().field("signature", "AAAAAAAAAAAAAAAAAAAAAAAAAAA="));
        assertThat(forged.status()).isEqualTo(403);
        assertThat(forged.code()).isEqualTo("SignatureDoesNotMatch");
        assertThat(send(usual().field("signature", "%")).code()).isEqualTo("SignatureDoesNotMatch");
    }

    @Test
    void nobodyPostsWhereNobodyMayWrite() {
        Answer answer =
                gateway.sendAs(
                        "anonymous", new Form().field("key", "k").file("x", "y").to("bucket"));
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.code()).isEqualTo("AccessDenied");
        assertThat(gateway.sendAs("anonymous", usual().to("nowhere")).code())
                .isEqualTo("NoSuchBucket");
    }

    @Test
    void fieldsBeforeTheFileAreBounded() {
        Answer answer = send(usual().field("x-ignore-long", "x".repeat(21 << 10)));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("MaxPostPreDataLengthExceeded");
        assertThat(send(usual().behind("submit", "x".repeat(30 << 10))).status()).isEqualTo(204);
    }

    @Test
    void bodiesThatAreNoFormsAreRefused() {
        Answer other = gateway.send(new Call("POST", "/bucket").body("x=1"));
        assertThat(other.status()).isEqualTo(412);
        Answer cut =
                gateway.send(
                        new Call("POST", "/bucket")
                                .header("content-type", "multipart/form-data; boundary=b")
                                .body(
                                        "--b\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\nk"));
        assertThat(cut.status()).isEqualTo(400);
        assertThat(cut.code()).isEqualTo("MalformedPOSTRequest");
        Answer cutFile =
                gateway.send(
                        new Call("POST", "/bucket")
                                .header("content-type", "multipart/form-data; boundary=\"b\"")
                                .body(
                                        "--b\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\nk\r\n"
                                                + "--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nhalf"));
        assertThat(cutFile.code()).isEqualTo("MalformedPOSTRequest");
        assertThat(gateway.send("GET", "/bucket/k").status()).isEqualTo(404);
    }
}
