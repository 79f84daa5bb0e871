package io.dedupstore.server.s3.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Objects through the whole front: what goes in comes out, and what is refused leaves nothing. */
class ObjectsTest {
    private static final String MD5_OF_HELLO = "5d41402abc4b2a76b9719d911017c592";

    private final TestGateway gateway = new TestGateway();

    @BeforeEach
    void createBucket() {
        assertThat(gateway.send("PUT", "/docs").status()).isEqualTo(200);
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void anObjectComesBackAsItWasPut() {
        Answer put =
                gateway.send(
                        new Call("PUT", "/docs/a/b%20c")
                                .header("content-type", "text/plain")
                                .header("cache-control", "no-cache")
                                .header("content-encoding", "aws-chunked, gzip")
                                .header("x-amz-meta-Colour", "red")
                                .body("hello"));
        assertThat(put.status()).isEqualTo(200);
        assertThat(put.header("ETag")).isEqualTo('"' + MD5_OF_HELLO + '"');
        assertThat(put.header("x-amz-checksum-type")).isEqualTo("FULL_OBJECT");
        assertThat(put.header("x-amz-checksum-crc64nvme")).isNotEmpty();

        Answer got = gateway.send("GET", "/docs/a/b%20c");
        assertThat(got.text()).isEqualTo("hello");
        assertThat(got.header("Content-Type")).isEqualTo("text/plain");
        assertThat(got.header("Cache-Control")).isEqualTo("no-cache");
        assertThat(got.header("Content-Encoding")).isEqualTo("gzip");
        assertThat(got.header("x-amz-meta-colour")).isEqualTo("red");
        assertThat(got.header("Last-Modified")).isEqualTo("Fri, 02 Jan 2026 03:04:05 GMT");
        assertThat(got.header("x-amz-request-id")).matches("[0-9A-F]{16}");
        assertThat(got.headers().contains("x-amz-checksum-crc64nvme")).isFalse();
    }

    @Test
    void aLargeObjectIsReadInRanges() {
        byte[] content = new byte[3 << 20];
        new Random(7).nextBytes(content);
        gateway.send(new Call("PUT", "/docs/large").body(content));
        assertThat(gateway.send("GET", "/docs/large").body()).isEqualTo(content);
        Answer range =
                gateway.send(
                        new Call("GET", "/docs/large").header("range", "bytes=1000000-1000009"));
        assertThat(range.status()).isEqualTo(206);
        assertThat(range.header("Content-Range")).isEqualTo("bytes 1000000-1000009/3145728");
        assertThat(range.body()).hasSize(10).isEqualTo(slice(content, 1_000_000, 10));
        Answer suffix = gateway.send(new Call("GET", "/docs/large").header("range", "bytes=-5"));
        assertThat(suffix.body()).isEqualTo(slice(content, content.length - 5, 5));
        Answer behind =
                gateway.send(new Call("GET", "/docs/large").header("range", "bytes=3145728-"));
        assertThat(behind.code()).isEqualTo("InvalidRange");
        assertThat(behind.header("Content-Range")).isEqualTo("bytes */3145728");
    }

    @Test
    void checksumsComeOnRequestButNeverWithARange() {
        gateway.put("/docs/k", "hello");
        Answer whole =
                gateway.send(new Call("GET", "/docs/k").header("x-amz-checksum-mode", "ENABLED"));
        assertThat(whole.header("x-amz-checksum-crc64nvme")).isNotEmpty();
        Answer range =
                gateway.send(
                        new Call("GET", "/docs/k")
                                .header("x-amz-checksum-mode", "ENABLED")
                                .header("range", "bytes=0-4"));
        assertThat(range.status()).isEqualTo(206);
        assertThat(range.headers().contains("x-amz-checksum-crc64nvme")).isFalse();
    }

    @Test
    void aWrongChecksumLeavesTheOldObject() {
        gateway.put("/docs/k", "old");
        Answer refused =
                gateway.send(
                        new Call("PUT", "/docs/k")
                                .header("x-amz-checksum-crc32", "AAAAAA==")
                                .body("hello"));
        assertThat(refused.code()).isEqualTo("BadDigest");
        Answer md5 =
                gateway.send(
                        new Call("PUT", "/docs/k")
                                .header("content-md5", "AAAAAAAAAAAAAAAAAAAAAA==")
                                .body("hello"));
        assertThat(md5.code()).isEqualTo("BadDigest");
        assertThat(gateway.send("GET", "/docs/k").text()).isEqualTo("old");
    }

    @Test
    void everyAlgorithmIsVerifiedInHeaderAndTrailer() {
        String[][] values = {
            {"crc32", "NhCmhg=="},
            {"crc32c", "mnG7TA=="},
            {"sha1", "qvTGHdzF6KLavt4PO0gs2a6pQ00="},
            {"sha256", "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="}
        };
        for (String[] value : values) {
            String header = "x-amz-checksum-" + value[0];
            Answer inHeader =
                    gateway.send(new Call("PUT", "/docs/k").header(header, value[1]).body("hello"));
            assertThat(inHeader.status()).as(header).isEqualTo(200);
            assertThat(inHeader.header(header)).isEqualTo(value[1]);
            Call trailing = new Call("PUT", "/docs/k").header("x-amz-trailer", header);
            Answer inTrailer =
                    gateway.send(
                            TestGateway.withTrailer(trailing, header + ":" + value[1])
                                    .body("hello"));
            assertThat(inTrailer.status()).as(header + " in trailer").isEqualTo(200);
            Answer got =
                    gateway.send(
                            new Call("GET", "/docs/k").header("x-amz-checksum-mode", "ENABLED"));
            assertThat(got.header(header)).isEqualTo(value[1]);
        }
    }

    @Test
    void declaredTrailersMustCome() {
        Answer missing =
                gateway.send(
                        new Call("PUT", "/docs/k")
                                .header("x-amz-trailer", "x-amz-checksum-crc32")
                                .body("hello"));
        assertThat(missing.code()).isEqualTo("MalformedTrailerError");
        Answer both =
                gateway.send(
                        new Call("PUT", "/docs/k")
                                .header("x-amz-trailer", "x-amz-checksum-crc32")
                                .header("x-amz-checksum-crc32", "NhCmhg==")
                                .body("hello"));
        assertThat(both.code()).isEqualTo("InvalidRequest");
    }

    @Test
    void preconditionsAreDecidedBeforeTheBodyIsAskedFor() {
        gateway.put("/docs/k", "one");
        Call absent = new Call("PUT", "/docs/k").header("if-none-match", "*").body("two");
        Answer refused = gateway.send(absent);
        assertThat(refused.code()).isEqualTo("PreconditionFailed");
        assertThat(refused.element("Condition")).isEqualTo("If-None-Match");
        assertThat(absent.bodyRead()).isFalse();
        Call wrong = new Call("PUT", "/docs/k").header("if-match", "\"other\"").body("two");
        assertThat(gateway.send(wrong).code()).isEqualTo("PreconditionFailed");
        assertThat(wrong.bodyRead()).isFalse();
        Call missing = new Call("PUT", "/docs/none").header("if-match", "\"x\"").body("two");
        assertThat(gateway.send(missing).code()).isEqualTo("NoSuchKey");
        String etag = gateway.send("HEAD", "/docs/k").header("ETag");
        Call right = new Call("PUT", "/docs/k").header("if-match", etag).body("two");
        assertThat(gateway.send(right).status()).isEqualTo(200);
        Call other = new Call("PUT", "/docs/k").header("if-none-match", "\"x\"").body("two");
        assertThat(gateway.send(other).code()).isEqualTo("NotImplemented");
    }

    @Test
    void readsObeyConditions() {
        gateway.put("/docs/k", "hello");
        String etag = gateway.send("HEAD", "/docs/k").header("ETag");
        String date = "Fri, 02 Jan 2026 03:04:05 GMT";
        String earlier = "Fri, 02 Jan 2026 03:04:04 GMT";
        Object[][] cases = {
            {"if-match", etag, 200},
            {"if-match", "\"x\"", 412},
            {"if-none-match", etag, 304},
            {"if-none-match", "\"x\"", 200},
            {"if-modified-since", date, 304},
            {"if-modified-since", earlier, 200},
            {"if-unmodified-since", date, 200},
            {"if-unmodified-since", earlier, 412},
            {"if-modified-since", "nonsense", 200},
        };
        for (Object[] one : cases) {
            Call call = new Call("GET", "/docs/k").header((String) one[0], (String) one[1]);
            assertThat(gateway.send(call).status()).as(one[0] + ": " + one[1]).isEqualTo(one[2]);
        }
        Answer both =
                gateway.send(
                        new Call("GET", "/docs/k")
                                .header("if-match", etag)
                                .header("if-unmodified-since", earlier));
        assertThat(both.status()).isEqualTo(200);
        Answer unchanged = gateway.send(new Call("GET", "/docs/k").header("if-none-match", etag));
        assertThat(unchanged.header("ETag")).isEqualTo(etag);
        assertThat(unchanged.body()).isEmpty();
    }

    @Test
    void deletesAreIdempotentAndMayBeConditional() {
        gateway.put("/docs/k", "hello");
        Call wrong = new Call("DELETE", "/docs/k").header("if-match", "\"x\"");
        assertThat(gateway.send(wrong).code()).isEqualTo("PreconditionFailed");
        assertThat(gateway.send("DELETE", "/docs/k").status()).isEqualTo(204);
        assertThat(gateway.send("DELETE", "/docs/k").status()).isEqualTo(204);
        assertThat(gateway.send("GET", "/docs/k").code()).isEqualTo("NoSuchKey");
        assertThat(gateway.send("HEAD", "/docs/k").status()).isEqualTo(404);
    }

    @Test
    void manyKeysAreDeletedInOneRequest() {
        gateway.put("/docs/a", "1");
        gateway.put("/docs/b", "2");
        String document =
                "<Delete><Object><Key>a</Key></Object><Object><Key>b</Key><ETag>\"x\"</ETag></Object>"
                        + "<Object><Key>none</Key></Object></Delete>";
        assertThat(gateway.send(new Call("POST", "/docs?delete").body(document)).code())
                .isEqualTo("InvalidRequest");
        Answer deleted = gateway.send(withMd5(new Call("POST", "/docs?delete"), document));
        assertThat(deleted.elements("Deleted")).containsExactly("<Key>a</Key>", "<Key>none</Key>");
        assertThat(deleted.element("Error")).contains("<Code>PreconditionFailed</Code>");
        String quiet = "<Delete><Quiet>true</Quiet><Object><Key>b</Key></Object></Delete>";
        Answer silent = gateway.send(withMd5(new Call("POST", "/docs?delete"), quiet));
        assertThat(silent.status()).isEqualTo(200);
        assertThat(silent.text()).doesNotContain("Deleted>");
        assertThat(gateway.send("GET", "/docs/b").status()).isEqualTo(404);
    }

    @Test
    void requestDocumentsMayBeLargeButNotAnyhowLarge() {
        String key = "k".repeat(900);
        for (int round = 0; round < 10; round++) {
            String thousand = ("<Object><Key>" + key + round + "</Key></Object>").repeat(1000);
            Answer answer = delete("<Delete><Quiet>true</Quiet>" + thousand + "</Delete>");
            assertThat(answer.status()).isEqualTo(200);
        }
        assertThat(
                        delete(
                                        "<Delete>"
                                                + "<Object><Key>k</Key></Object>".repeat(1001)
                                                + "</Delete>")
                                .code())
                .isEqualTo("MalformedXML");
        assertThat(delete("<Delete/>").code()).isEqualTo("MalformedXML");
        assertThat(delete("<Delete>" + " ".repeat(Documents.MAX_BYTES) + "</Delete>").code())
                .isEqualTo("MaxMessageLengthExceeded");
    }

    private Answer delete(String document) {
        return gateway.send(withMd5(new Call("POST", "/docs?delete"), document));
    }

    @Test
    void userMetadataKeepsUnicodeAndHasALimit() {
        String raw =
                new String("grün".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        gateway.send(new Call("PUT", "/docs/k").header("x-amz-meta-c", raw).body("x"));
        assertThat(gateway.send("HEAD", "/docs/k").header("x-amz-meta-c"))
                .isEqualTo("=?UTF-8?B?Z3LDvG4=?=");
        Call large = new Call("PUT", "/docs/k").header("x-amz-meta-c", "x".repeat(2048)).body("x");
        assertThat(gateway.send(large).code()).isEqualTo("MetadataTooLarge");
    }

    @Test
    void promisesThatCannotBeKeptAreRefused() {
        String[][] cases = {
            {"x-amz-server-side-encryption", "aes256", "InvalidArgument"},
            {"x-amz-tagging", "a=b&a=c", "InvalidArgument"},
            {"x-amz-object-lock-mode", "GOVERNANCE", "InvalidRequest"},
            {"x-amz-acl", "nonsense", "InvalidArgument"},
            {"x-amz-storage-class", "ATTIC", "InvalidStorageClass"},
            {"x-amz-checksum-sha512", "AAAA", "InvalidRequest"},
            {"x-amz-sdk-checksum-algorithm", "CRC32", "InvalidRequest"},
            {"content-md5", "nonsense", "InvalidDigest"},
        };
        for (String[] one : cases) {
            Call call = new Call("PUT", "/docs/k").header(one[0], one[1]).body("x");
            assertThat(gateway.send(call).code()).as(one[0]).isEqualTo(one[2]);
            assertThat(call.bodyRead()).as(one[0]).isFalse();
        }
        assertThat(
                        gateway.send(
                                        new Call("PUT", "/docs/k")
                                                .header("x-amz-acl", "private")
                                                .body("x"))
                                .status())
                .isEqualTo(200);
        assertThat(gateway.send("PUT", "/docs/k").code()).isEqualTo("MissingContentLength");
        Call huge =
                new Call("PUT", "/docs/k").header("content-length", Long.toString((5L << 30) + 1));
        assertThat(gateway.send(huge).code()).isEqualTo("EntityTooLarge");
        assertThat(gateway.put("/docs/" + "k".repeat(1025), "x").code())
                .isEqualTo("KeyTooLongError");
    }

    @Test
    void storageClassIsEchoedUnlessStandard() {
        gateway.send(
                new Call("PUT", "/docs/ia").header("x-amz-storage-class", "STANDARD_IA").body("x"));
        gateway.send(
                new Call("PUT", "/docs/std").header("x-amz-storage-class", "STANDARD").body("x"));
        assertThat(gateway.send("HEAD", "/docs/ia").header("x-amz-storage-class"))
                .isEqualTo("STANDARD_IA");
        assertThat(gateway.send("HEAD", "/docs/std").headers().contains("x-amz-storage-class"))
                .isFalse();
    }

    @Test
    void responseHeadersMayBeOverridden() {
        gateway.put("/docs/k", "hello");
        Answer got =
                gateway.send(
                        "GET", "/docs/k?response-content-type=text%2Fcsv&response-expires=x%0Dy");
        assertThat(got.header("Content-Type")).isEqualTo("text/csv");
        assertThat(got.header("Expires")).isEqualTo("x y");
    }

    @Test
    void bytesThatAreGoneAreAnErrorAndNeverAnEmptyAnswer() {
        byte[] content = new byte[300_000];
        new Random(8).nextBytes(content);
        gateway.send(new Call("PUT", "/docs/k").body(content));
        gateway.chunks.dropAll();
        assertThat(gateway.send("GET", "/docs/k").code()).isEqualTo("InternalError");
    }

    @Test
    void presignedUrlsCarryHeadersInTheirQuery() {
        Answer put =
                gateway.send(
                        new Call(
                                        "PUT",
                                        "/docs/k?X-Amz-Signature=0&x-amz-meta-colour=red"
                                                + "&x-amz-checksum-crc32=AAAAAA%3D%3D")
                                .body("hello"));
        assertThat(put.code()).isEqualTo("BadDigest");
        gateway.send(
                new Call("PUT", "/docs/k?X-Amz-Signature=0&x-amz-meta-colour=red").body("hello"));
        assertThat(gateway.send("HEAD", "/docs/k").header("x-amz-meta-colour")).isEqualTo("red");
    }

    @Test
    void strangersAreRefused() {
        gateway.put("/docs/k", "hello");
        for (String caller : new String[] {"anonymous", "somebody"}) {
            assertThat(gateway.sendAs(caller, new Call("GET", "/docs/k")).code())
                    .isEqualTo("AccessDenied");
            assertThat(gateway.sendAs(caller, new Call("GET", "/none/k")).code())
                    .isEqualTo("NoSuchBucket");
        }
        Answer wrongOwner =
                gateway.send(
                        new Call("GET", "/docs/k").header("x-amz-expected-bucket-owner", "other"));
        assertThat(wrongOwner.code()).isEqualTo("AccessDenied");
    }

    @Test
    void overwritingChangesTimeAndTag() {
        gateway.put("/docs/k", "one");
        gateway.tick(Duration.ofSeconds(5));
        gateway.put("/docs/k", "two");
        Answer head = gateway.send("HEAD", "/docs/k");
        assertThat(head.header("Last-Modified")).isEqualTo("Fri, 02 Jan 2026 03:04:10 GMT");
    }

    static Call withMd5(Call call, String document) {
        return call.header("content-md5", Md5.base64(document)).body(document);
    }

    private static byte[] slice(byte[] bytes, int offset, int length) {
        byte[] slice = new byte[length];
        System.arraycopy(bytes, offset, slice, 0, length);
        return slice;
    }
}
