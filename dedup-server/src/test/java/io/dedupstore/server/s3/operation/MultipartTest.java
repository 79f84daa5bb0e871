package io.dedupstore.server.s3.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.checksum.Crc32;
import io.dedupstore.core.checksum.Crc64Nvme;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MultipartTest {
    private static final int PART = 5 << 20;

    private final TestGateway gateway = new TestGateway();
    private final byte[] content = new byte[PART + 1000];
    private final byte[] first;
    private final byte[] second;

    MultipartTest() {
        new Random(5).nextBytes(content);
        first = Arrays.copyOf(content, PART);
        second = Arrays.copyOfRange(content, PART, content.length);
    }

    @BeforeEach
    void createBucket() {
        gateway.send("PUT", "/docs");
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private String create(String... headers) {
        Call call = new Call("POST", "/docs/k?uploads").header("content-type", "a/b");
        for (int i = 0; i < headers.length; i += 2) {
            call.header(headers[i], headers[i + 1]);
        }
        String id = gateway.send(call).element("UploadId");
        assertThat(id).isNotEmpty();
        return id;
    }

    private Answer upload(String id, int number, byte[] bytes, String... headers) {
        Call call = new Call("PUT", "/docs/k?partNumber=" + number + "&uploadId=" + id);
        for (int i = 0; i < headers.length; i += 2) {
            call.header(headers[i], headers[i + 1]);
        }
        return gateway.send(call.body(bytes));
    }

    private static String part(int number, String etag, String... more) {
        return "<Part><PartNumber>"
                + number
                + "</PartNumber><ETag>"
                + etag
                + "</ETag>"
                + String.join("", more)
                + "</Part>";
    }

    private Answer complete(String id, String parts, String... headers) {
        Call call = new Call("POST", "/docs/k?uploadId=" + id);
        for (int i = 0; i < headers.length; i += 2) {
            call.header(headers[i], headers[i + 1]);
        }
        return gateway.send(
                call.body("<CompleteMultipartUpload>" + parts + "</CompleteMultipartUpload>"));
    }

    private String uploadBoth(String id) {
        return part(1, upload(id, 1, first).header("ETag"))
                + part(2, upload(id, 2, second).header("ETag"));
    }

    private String etagOfBoth() {
        ByteBuffer md5s = ByteBuffer.allocate(32).put(Md5.of(first)).put(Md5.of(second));
        return Md5.hex(md5s.array()) + "-2";
    }

    @Test
    void partsBecomeOneObject() {
        String id = create();
        String parts = uploadBoth(id);
        Answer done = complete(id, parts);
        assertThat(done.status()).isEqualTo(200);
        assertThat(done.element("ETag")).isEqualTo("&quot;" + etagOfBoth() + "&quot;");
        assertThat(done.element("Location")).isEqualTo("http://localhost:9000/docs/k");
        String crc = base64(Crc64Nvme.of(content));
        assertThat(done.element("ChecksumCRC64NVME")).isEqualTo(crc);
        assertThat(done.element("ChecksumType")).isEqualTo("FULL_OBJECT");
        Answer got =
                gateway.send(new Call("GET", "/docs/k").header("x-amz-checksum-mode", "ENABLED"));
        assertThat(got.body()).isEqualTo(content);
        assertThat(got.header("Content-Type")).isEqualTo("a/b");
        assertThat(got.header("x-amz-checksum-crc64nvme")).isEqualTo(crc);
        Answer repeated = complete(id, parts);
        assertThat(repeated.element("ETag")).isEqualTo(done.element("ETag"));
        assertThat(gateway.send("GET", "/docs?uploads").elements("Upload")).isEmpty();
        assertThat(gateway.send("DELETE", "/docs/k?uploadId=" + id).code())
                .isEqualTo("NoSuchUpload");
    }

    @Test
    void partsAreReadByNumber() {
        String id = create();
        complete(id, uploadBoth(id));
        Answer two = gateway.send("GET", "/docs/k?partNumber=2");
        assertThat(two.status()).isEqualTo(206);
        assertThat(two.body()).isEqualTo(second);
        assertThat(two.header("x-amz-mp-parts-count")).isEqualTo("2");
        assertThat(two.header("Content-Range"))
                .isEqualTo("bytes " + PART + "-" + (content.length - 1) + "/" + content.length);
        Answer three = gateway.send("GET", "/docs/k?partNumber=3");
        assertThat(three.code()).isEqualTo("InvalidPartNumber");
        assertThat(three.status()).isEqualTo(416);
        assertThat(gateway.send("GET", "/docs/k?partNumber=0").code()).isEqualTo("InvalidArgument");
        Answer both =
                gateway.send(new Call("GET", "/docs/k?partNumber=1").header("range", "bytes=0-1"));
        assertThat(both.code()).isEqualTo("InvalidRequest");
        gateway.put("/docs/plain", "hello");
        assertThat(gateway.send("GET", "/docs/plain?partNumber=1").text()).isEqualTo("hello");
        assertThat(gateway.send("GET", "/docs/plain?partNumber=2").code())
                .isEqualTo("InvalidPartNumber");
    }

    @Test
    void whatIsWrongWithACompletionIsSaid() {
        String id = create();
        String one = upload(id, 1, second).header("ETag");
        String two = upload(id, 2, second).header("ETag");
        assertThat(complete(id, part(2, two) + part(1, one)).code()).isEqualTo("InvalidPartOrder");
        assertThat(complete(id, part(1, one) + part(1, one)).code()).isEqualTo("InvalidPartOrder");
        assertThat(complete(id, part(1, one) + part(2, two)).code()).isEqualTo("EntityTooSmall");
        assertThat(complete(id, part(3, one)).code()).isEqualTo("InvalidPart");
        assertThat(complete(id, part(1, "\"x\"")).code()).isEqualTo("InvalidPart");
        assertThat(complete(id, "").code()).isEqualTo("MalformedXML");
        assertThat(complete(id, part(1, one), "x-amz-mp-object-size", "1").code())
                .isEqualTo("InvalidRequest");
        assertThat(complete(id, part(1, one), "x-amz-checksum-crc64nvme", "AAAAAAAAAAA=").code())
                .isEqualTo("BadDigest");
        assertThat(complete(id, part(1, one), "x-amz-checksum-type", "COMPOSITE").code())
                .isEqualTo("InvalidRequest");
        assertThat(complete("00", part(1, one)).code()).isEqualTo("NoSuchUpload");
        assertThat(complete(id, part(1, one), "x-amz-mp-object-size", "1000").status())
                .isEqualTo(200);
    }

    @Test
    void completionsOfOneUploadAtTheSameTimeAllSucceed() {
        for (int round = 0; round < 20; round++) {
            String id = create();
            String parts = part(1, upload(id, 1, second).header("ETag"));
            List<Integer> statuses =
                    IntStream.range(0, 4)
                            .parallel()
                            .mapToObj(i -> complete(id, parts).status())
                            .toList();
            assertThat(statuses).containsOnly(200);
        }
    }

    @Test
    void completionObeysPreconditions() {
        gateway.put("/docs/k", "here");
        String id = create();
        String parts = part(1, upload(id, 1, second).header("ETag"));
        assertThat(complete(id, parts, "if-none-match", "*").code())
                .isEqualTo("PreconditionFailed");
        assertThat(complete(id, parts, "if-match", "\"x\"").code()).isEqualTo("PreconditionFailed");
        String etag = gateway.send("HEAD", "/docs/k").header("ETag");
        assertThat(complete(id, parts, "if-match", etag).status()).isEqualTo(200);
    }

    @Test
    void compositeChecksumsNeedOneOfEachPart() {
        String id = create("x-amz-checksum-algorithm", "CRC32");
        assertThat(upload(id, 1, second).code()).isEqualTo("InvalidRequest");
        String crc = base64(Crc32.of(second));
        assertThat(upload(id, 1, second, "x-amz-checksum-crc32c", "AAAAAA==").code())
                .isEqualTo("InvalidRequest");
        Answer uploaded = upload(id, 1, second, "x-amz-checksum-crc32", crc);
        assertThat(uploaded.header("x-amz-checksum-crc32")).isEqualTo(crc);
        String etag = uploaded.header("ETag");
        assertThat(complete(id, part(1, etag)).code()).isEqualTo("InvalidRequest");
        String wrong = "<ChecksumCRC32>AAAAAA==</ChecksumCRC32>";
        assertThat(complete(id, part(1, etag, wrong)).code()).isEqualTo("InvalidPart");
        String right = "<ChecksumCRC32>" + crc + "</ChecksumCRC32>";
        Answer done = complete(id, part(1, etag, right));
        byte[] value = ByteBuffer.allocate(4).putInt(Crc32.of(second)).array();
        assertThat(done.element("ChecksumCRC32")).isEqualTo(base64(Crc32.of(value)) + "-1");
        assertThat(done.element("ChecksumType")).isEqualTo("COMPOSITE");
    }

    @Test
    void fullObjectChecksumsCombine() {
        String id =
                create("x-amz-checksum-algorithm", "CRC32", "x-amz-checksum-type", "FULL_OBJECT");
        String parts = uploadBoth(id);
        String crc = base64(Crc32.of(content));
        Answer done =
                complete(
                        id,
                        parts,
                        "x-amz-checksum-crc32",
                        crc,
                        "x-amz-checksum-type",
                        "FULL_OBJECT");
        assertThat(done.element("ChecksumCRC32")).isEqualTo(crc);
        Answer attributes =
                gateway.send(
                        new Call("GET", "/docs/k?attributes")
                                .header(
                                        "x-amz-object-attributes",
                                        "ETag,Checksum,ObjectParts,ObjectSize,StorageClass")
                                .header("x-amz-max-parts", "1"));
        assertThat(attributes.element("ETag")).isEqualTo(etagOfBoth());
        assertThat(attributes.element("PartsCount")).isEqualTo("2");
        assertThat(attributes.element("NextPartNumberMarker")).isEqualTo("1");
        assertThat(attributes.element("IsTruncated")).isEqualTo("true");
        assertThat(attributes.element("ObjectSize")).isEqualTo(Integer.toString(content.length));
    }

    @ParameterizedTest
    @CsvSource({
        "SHA256, FULL_OBJECT",
        "SHA1, FULL_OBJECT",
        "CRC64NVME, COMPOSITE",
        "MD4, COMPOSITE",
        "CRC32, X"
    })
    void typesThatDoNotGoTogetherAreRefused(String algorithm, String type) {
        Call call =
                new Call("POST", "/docs/k?uploads")
                        .header("x-amz-checksum-algorithm", algorithm)
                        .header("x-amz-checksum-type", type);
        assertThat(gateway.send(call).code()).isEqualTo("InvalidRequest");
    }

    @Test
    void partsAndUploadsAreListedByPages() {
        String id = create();
        for (int number : new int[] {1, 3, 5}) {
            upload(id, number, second);
        }
        Answer page = gateway.send("GET", "/docs/k?max-parts=2&uploadId=" + id);
        assertThat(page.elements("PartNumber")).containsExactly("1", "3");
        assertThat(page.element("IsTruncated")).isEqualTo("true");
        assertThat(page.element("NextPartNumberMarker")).isEqualTo("3");
        Answer rest = gateway.send("GET", "/docs/k?part-number-marker=3&uploadId=" + id);
        assertThat(rest.elements("PartNumber")).containsExactly("5");
        assertThat(rest.element("IsTruncated")).isEqualTo("false");
        String other = create();
        Answer uploads = gateway.send("GET", "/docs?uploads&max-uploads=1");
        assertThat(uploads.elements("UploadId")).containsExactly(id);
        assertThat(uploads.element("NextUploadIdMarker")).isEqualTo(id);
        Answer more = gateway.send("GET", "/docs?uploads&key-marker=k&upload-id-marker=" + id);
        assertThat(more.elements("UploadId")).containsExactly(other);
        assertThat(gateway.send("DELETE", "/docs/k?uploadId=" + id).status()).isEqualTo(204);
        assertThat(gateway.send("GET", "/docs/k?uploadId=" + id).code()).isEqualTo("NoSuchUpload");
        assertThat(upload(id, 1, second).code()).isEqualTo("NoSuchUpload");
    }

    @Test
    void partsAreCopiedFromObjects() {
        gateway.send(new Call("PUT", "/docs/src").body(content));
        String id = create();
        String source = "/docs/src";
        Answer one = copyPart(id, 1, source, "bytes=0-" + (PART - 1));
        assertThat(one.element("ETag")).isEqualTo("&quot;" + Md5.hex(first) + "&quot;");
        Answer two = copyPart(id, 2, source, "bytes=" + PART + "-" + (content.length - 1));
        assertThat(two.element("ETag")).isEqualTo("&quot;" + Md5.hex(second) + "&quot;");
        assertThat(copyPart(id, 3, source, "bytes=0-" + content.length).code())
                .isEqualTo("InvalidArgument");
        Answer done = complete(id, part(1, one.element("ETag")) + part(2, two.element("ETag")));
        assertThat(done.element("ETag")).isEqualTo("&quot;" + etagOfBoth() + "&quot;");
        assertThat(done.element("ChecksumCRC64NVME")).isEqualTo(base64(Crc64Nvme.of(content)));
        assertThat(gateway.send("GET", "/docs/k").body()).isEqualTo(content);
        Answer copy =
                gateway.send(new Call("PUT", "/docs/copy").header("x-amz-copy-source", "/docs/k"));
        assertThat(copy.element("ETag")).contains(etagOfBoth());
        gateway.send("DELETE", "/docs/k");
        gateway.send("DELETE", "/docs/src");
        assertThat(gateway.send("GET", "/docs/copy").body()).isEqualTo(content);
    }

    @Test
    void smallPartsAreCopiedToo() {
        gateway.put("/docs/src", "hello world");
        String id = create("x-amz-checksum-algorithm", "SHA256");
        Answer range = copyPart(id, 1, "/docs/src", "bytes=6-10");
        assertThat(range.element("ETag"))
                .contains(Md5.hex("world".getBytes(StandardCharsets.UTF_8)));
        assertThat(range.element("ChecksumSHA256")).isNotEmpty();
        String sha = "<ChecksumSHA256>" + range.element("ChecksumSHA256") + "</ChecksumSHA256>";
        assertThat(complete(id, part(1, range.element("ETag"), sha)).status()).isEqualTo(200);
        assertThat(gateway.send("GET", "/docs/k").text()).isEqualTo("world");
    }

    @Test
    void aRangeOfMorePiecesThanAPartMayReferToIsWrittenAnew() {
        byte[] tail = new byte[4_000];
        Arrays.fill(tail, (byte) 't');
        String small = create();
        complete(
                small,
                part(1, upload(small, 1, first).header("ETag"))
                        + part(2, upload(small, 2, tail).header("ETag")));
        int times = 17;
        String many = create();
        StringBuilder parts = new StringBuilder();
        for (int number = 1; number <= times; number++) {
            Answer copied = copyPart(many, number, "/docs/k", "bytes=0-" + (PART + 3_999));
            parts.append(part(number, copied.element("ETag")));
        }
        assertThat(complete(many, parts.toString()).status()).isEqualTo(200);
        long length = (long) times * (PART + 4_000);

        String one = create();
        Answer copied = copyPart(one, 1, "/docs/k", "bytes=0-" + (length - 1));
        assertThat(copied.status()).isEqualTo(200);
        assertThat(complete(one, part(1, copied.element("ETag"))).status()).isEqualTo(200);
        Answer end = gateway.send(new Call("GET", "/docs/k").header("range", "bytes=-" + 4_000));
        assertThat(end.body()).isEqualTo(tail);
        assertThat(end.header("Content-Range"))
                .isEqualTo("bytes %d-%d/%d".formatted(length - 4_000, length - 1, length));
    }

    private Answer copyPart(String id, int number, String source, String range) {
        return gateway.send(
                new Call("PUT", "/docs/k?partNumber=" + number + "&uploadId=" + id)
                        .header("x-amz-copy-source", source)
                        .header("x-amz-copy-source-range", range));
    }

    private static String base64(int crc) {
        return Base64.getEncoder().encodeToString(ByteBuffer.allocate(4).putInt(crc).array());
    }

    private static String base64(long crc) {
        return Base64.getEncoder().encodeToString(ByteBuffer.allocate(8).putLong(crc).array());
    }
}
