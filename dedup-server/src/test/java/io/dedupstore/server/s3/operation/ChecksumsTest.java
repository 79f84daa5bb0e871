package io.dedupstore.server.s3.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every algorithm in every place of the API that has checksums. */
class ChecksumsTest {
    private static final int PART_BYTES = 5 << 20;
    private final TestGateway gateway = new TestGateway();

    @BeforeEach
    void makeBucket() {
        assertThat(gateway.put("/bkt", "").status()).isEqualTo(200);
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private static Call put(String target, String body) {
        return new Call("PUT", target).body(body);
    }

    private static String header(String algorithm) {
        return "x-amz-checksum-" + algorithm.toLowerCase(Locale.ROOT);
    }

    /** Values of "abc", from the algorithms' own test vectors. */
    @ParameterizedTest
    @CsvSource({
        "CRC32, NSRBwg==",
        "CRC32C, Nks/tw==",
        "CRC64NVME, BeXKuz/B+us=",
        "SHA1, qZk+NkcGgWq6PiVxeFDCbJzQ2J0=",
        "SHA256, ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=",
        "SHA512,"
                + " 3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==",
        "MD5, kAFQmDzST7DWlj99KOF/cg==",
        "XXHASH64, RLws9a13CZk=",
        "XXHASH3, eK9flIkvOVA=",
        "XXHASH128, BrBatnM6YYV4r1+UiS85UA==",
    })
    void areVerifiedKeptAndShown(String algorithm, String value) {
        String header = header(algorithm);
        Answer put = gateway.send(put("/bkt/k", "abc").header(header, value));
        assertThat(put.status()).as(put.text()).isEqualTo(200);
        assertThat(put.header(header)).isEqualTo(value);
        assertThat(put.header("x-amz-checksum-type")).isEqualTo("FULL_OBJECT");
        for (String method : new String[] {"GET", "HEAD"}) {
            Answer plain = gateway.send(method, "/bkt/k");
            assertThat(plain.header(header)).isEmpty();
            Answer asked =
                    gateway.send(
                            new Call(method, "/bkt/k").header("x-amz-checksum-mode", "ENABLED"));
            assertThat(asked.header(header)).isEqualTo(value);
            assertThat(asked.header("x-amz-checksum-type")).isEqualTo("FULL_OBJECT");
        }
        Answer range =
                gateway.send(
                        new Call("GET", "/bkt/k")
                                .header("x-amz-checksum-mode", "ENABLED")
                                .header("range", "bytes=0-1"));
        assertThat(range.header(header)).isEmpty();
        Answer attributes =
                gateway.send(
                        new Call("GET", "/bkt/k?attributes")
                                .header("x-amz-object-attributes", "Checksum"));
        assertThat(attributes.element("Checksum" + algorithm)).isEqualTo(value);
        assertThat(attributes.element("ChecksumType")).isEqualTo("FULL_OBJECT");
        Answer listed = gateway.send("GET", "/bkt?list-type=2");
        assertThat(listed.element("ChecksumAlgorithm")).isEqualTo(algorithm);
        Answer trailer =
                gateway.send(
                        TestGateway.withTrailer(
                                put("/bkt/t", "abc").header("x-amz-trailer", header),
                                header + ":" + value));
        assertThat(trailer.status()).as(trailer.text()).isEqualTo(200);
        assertThat(trailer.header(header)).isEqualTo(value);
        Answer copy =
                gateway.send(
                        new Call("PUT", "/bkt/copy")
                                .header("x-amz-copy-source", "/bkt/k")
                                .header("x-amz-checksum-algorithm", algorithm));
        assertThat(copy.element("Checksum" + algorithm)).isEqualTo(value);
        Answer wrong = gateway.send(put("/bkt/wrong", "abd").header(header, value));
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.code()).isEqualTo("BadDigest");
        Answer malformed = gateway.send(put("/bkt/wrong", "abc").header(header, "AAA="));
        assertThat(malformed.status()).isEqualTo(400);
        assertThat(malformed.code()).isEqualTo("InvalidRequest");
        assertThat(gateway.send("HEAD", "/bkt/wrong").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({
        "CRC32, COMPOSITE",
        "CRC32, FULL_OBJECT",
        "CRC32C, COMPOSITE",
        "CRC32C, FULL_OBJECT",
        "CRC64NVME, FULL_OBJECT",
        "SHA1, COMPOSITE",
        "SHA256, COMPOSITE",
        "SHA512, COMPOSITE",
        "MD5, COMPOSITE",
        "XXHASH64, COMPOSITE",
        "XXHASH3, COMPOSITE",
        "XXHASH128, COMPOSITE",
    })
    void goThroughMultipartUploads(String algorithm, String type) {
        String header = header(algorithm);
        Answer created =
                gateway.send(
                        new Call("POST", "/bkt/m?uploads")
                                .header("x-amz-checksum-algorithm", algorithm)
                                .header("x-amz-checksum-type", type));
        assertThat(created.header("x-amz-checksum-algorithm")).isEqualTo(algorithm);
        assertThat(created.header("x-amz-checksum-type")).isEqualTo(type);
        String upload = created.element("UploadId");
        byte[] first = new byte[PART_BYTES];
        new Random(1).nextBytes(first);
        byte[][] parts = {first, "tail".getBytes()};
        StringBuilder document = new StringBuilder("<CompleteMultipartUpload>");
        for (int i = 0; i < parts.length; i++) {
            String value = valueOf(algorithm, parts[i]);
            Answer part =
                    gateway.send(
                            new Call("PUT", "/bkt/m?partNumber=" + (i + 1) + "&uploadId=" + upload)
                                    .body(parts[i])
                                    .header(header, value));
            assertThat(part.header(header)).isEqualTo(value);
            document.append(
                    "<Part><PartNumber>%d</PartNumber><ETag>%s</ETag><Checksum%s>%s</Checksum%s></Part>"
                            .formatted(i + 1, part.header("etag"), algorithm, value, algorithm));
        }
        document.append("</CompleteMultipartUpload>");
        Answer list = gateway.send("GET", "/bkt/m?uploadId=" + upload);
        assertThat(list.element("ChecksumAlgorithm")).isEqualTo(algorithm);
        assertThat(list.element("ChecksumType")).isEqualTo(type);
        assertThat(list.elements("Checksum" + algorithm)).hasSize(2);
        Answer done =
                gateway.send(
                        new Call("POST", "/bkt/m?uploadId=" + upload).body(document.toString()));
        assertThat(done.status()).as(done.text()).isEqualTo(200);
        String value = done.element("Checksum" + algorithm);
        assertThat(done.element("ChecksumType")).isEqualTo(type);
        if (type.equals("COMPOSITE")) {
            assertThat(value).endsWith("-2");
        } else {
            byte[] all = new byte[PART_BYTES + 4];
            System.arraycopy(first, 0, all, 0, PART_BYTES);
            System.arraycopy(parts[1], 0, all, PART_BYTES, 4);
            assertThat(value).isEqualTo(valueOf(algorithm, all));
        }
        Answer head =
                gateway.send(new Call("HEAD", "/bkt/m").header("x-amz-checksum-mode", "ENABLED"));
        assertThat(head.header(header)).isEqualTo(value);
        assertThat(head.header("x-amz-checksum-type")).isEqualTo(type);
        Answer attributes =
                gateway.send(
                        new Call("GET", "/bkt/m?attributes")
                                .header("x-amz-object-attributes", "Checksum,ObjectParts"));
        assertThat(attributes.elements("Checksum" + algorithm)).contains(value);
        Answer byPart =
                gateway.send(
                        new Call("HEAD", "/bkt/m?partNumber=2")
                                .header("x-amz-checksum-mode", "ENABLED"));
        assertThat(byPart.header(header)).isEqualTo(valueOf(algorithm, parts[1]));
    }

    /** What a PUT computes of the bytes. */
    private String valueOf(String algorithm, byte[] bytes) {
        gateway.send(new Call("PUT", "/bkt/value").body(bytes));
        return gateway.send(
                        new Call("PUT", "/bkt/value-copy")
                                .header("x-amz-copy-source", "bkt/value")
                                .header("x-amz-checksum-algorithm", algorithm))
                .element("Checksum" + algorithm);
    }

    @Test
    void combinationsThatDoNotExistAreRefused() {
        Map<String, String> wrong =
                Map.of(
                        "CRC64NVME", "COMPOSITE",
                        "SHA1", "FULL_OBJECT",
                        "SHA512", "FULL_OBJECT",
                        "MD5", "FULL_OBJECT",
                        "XXHASH3", "FULL_OBJECT",
                        "CRC16", "COMPOSITE",
                        "CRC32", "HALF");
        wrong.forEach(
                (algorithm, type) -> {
                    Answer answer =
                            gateway.send(
                                    new Call("POST", "/bkt/m?uploads")
                                            .header("x-amz-checksum-algorithm", algorithm)
                                            .header("x-amz-checksum-type", type));
                    assertThat(answer.status()).isEqualTo(400);
                    assertThat(answer.code()).isEqualTo("InvalidRequest");
                });
        Answer several =
                gateway.send(
                        put("/bkt/k", "abc")
                                .header("x-amz-checksum-crc32", "NSRBwg==")
                                .header("x-amz-checksum-md5", "kAFQmDzST7DWlj99KOF/cg=="));
        assertThat(several.code()).isEqualTo("InvalidRequest");
        Answer unknown = gateway.send(put("/bkt/k", "abc").header("x-amz-checksum-crc16", "AAA="));
        assertThat(unknown.code()).isEqualTo("InvalidRequest");
    }
}
