package io.dedupstore.server.s3.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two shards: of three buckets made in a row, the first and third share one. */
class CopyTest {
    private final TestGateway gateway = new TestGateway(2);
    private final byte[] content = new byte[700_000];

    @BeforeEach
    void createBuckets() {
        for (String name : new String[] {"one", "two", "three"}) {
            gateway.send("PUT", "/" + name);
        }
        new Random(3).nextBytes(content);
        gateway.send(
                new Call("PUT", "/one/src")
                        .header("content-type", "text/plain")
                        .header("x-amz-meta-a", "b")
                        .header("x-amz-storage-class", "STANDARD_IA")
                        .body(content));
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private Answer copy(String source, String target, String... headers) {
        Call call = new Call("PUT", target).header("x-amz-copy-source", source);
        for (int i = 0; i < headers.length; i += 2) {
            call.header(headers[i], headers[i + 1]);
        }
        return gateway.send(call);
    }

    @ParameterizedTest
    @CsvSource({"/one/dst, 0", "/three/dst, 0", "/two/dst, 1"})
    void bytesAreOnlyMovedBetweenShards(String target, int least) {
        int before = gateway.chunks.appended();
        Answer copied = copy("/one/src", target);
        assertThat(copied.status()).isEqualTo(200);
        assertThat(copied.element("ETag")).isEqualTo("&quot;" + Md5.hex(content) + "&quot;");
        assertThat(copied.element("ChecksumCRC64NVME")).isNotEmpty();
        Answer got = gateway.send("GET", target);
        assertThat(got.body()).isEqualTo(content);
        assertThat(got.header("x-amz-meta-a")).isEqualTo("b");
        assertThat(got.header("Content-Type")).isEqualTo("text/plain");
        assertThat(got.headers().contains("x-amz-storage-class")).isFalse();
        // Known chunks are found in the index, so even a streamed copy appends none.
        assertThat(gateway.chunks.appended()).isEqualTo(before);
        gateway.send("DELETE", "/one/src");
        assertThat(gateway.send("GET", target).body()).isEqualTo(content);
    }

    @Test
    void attributesAreReplacedOnRequest() {
        copy(
                "one/src",
                "/one/dst",
                "x-amz-metadata-directive",
                "REPLACE",
                "x-amz-meta-c",
                "d",
                "content-type",
                "a/b");
        Answer head = gateway.send("HEAD", "/one/dst");
        assertThat(head.header("x-amz-meta-c")).isEqualTo("d");
        assertThat(head.header("Content-Type")).isEqualTo("a/b");
        assertThat(head.headers().contains("x-amz-meta-a")).isFalse();
        assertThat(copy("one/src", "/one/dst", "x-amz-metadata-directive", "X").code())
                .isEqualTo("InvalidArgument");
    }

    @Test
    void aCopyToItselfMustChangeSomething() {
        assertThat(copy("one/src", "/one/src").code()).isEqualTo("InvalidRequest");
        assertThat(copy("one/src", "/one/src", "x-amz-storage-class", "ONEZONE_IA").status())
                .isEqualTo(200);
        Answer replaced =
                copy(
                        "one/src",
                        "/one/src",
                        "x-amz-metadata-directive",
                        "REPLACE",
                        "x-amz-meta-x",
                        "y");
        assertThat(replaced.status()).isEqualTo(200);
        Answer got = gateway.send("GET", "/one/src");
        assertThat(got.header("x-amz-meta-x")).isEqualTo("y");
        assertThat(got.body()).isEqualTo(content);
    }

    @Test
    void conditionsOnSourceAndTargetAreHeeded() {
        String etag = gateway.send("HEAD", "/one/src").header("ETag");
        String[][] cases = {
            {"x-amz-copy-source-if-match", "\"x\"", "PreconditionFailed"},
            {"x-amz-copy-source-if-match", etag, "200"},
            {"x-amz-copy-source-if-none-match", etag, "PreconditionFailed"},
            {
                "x-amz-copy-source-if-modified-since",
                "Fri, 02 Jan 2026 03:04:05 GMT",
                "PreconditionFailed"
            },
            {
                "x-amz-copy-source-if-unmodified-since",
                "Fri, 02 Jan 2026 03:04:04 GMT",
                "PreconditionFailed"
            },
            {"if-none-match", "*", "PreconditionFailed"},
            {"if-match", "\"x\"", "PreconditionFailed"},
        };
        gateway.put("/one/dst", "here already");
        for (String[] one : cases) {
            assertThat(copy("one/src", "/one/dst", one[0], one[1]).code())
                    .as(one[0])
                    .isEqualTo(one[2]);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "one, InvalidArgument",
        "one/, InvalidArgument",
        "/, InvalidArgument",
        "none/src, NoSuchBucket",
        "one/none, NoSuchKey",
        "one/src?versionId=null, 200",
        "one/src?versionId=abc, InvalidArgument",
        "one/%zz, InvalidArgument",
    })
    void sourcesAreParsed(String source, String code) {
        assertThat(copy(source, "/one/dst").code()).isEqualTo(code);
    }

    @Test
    void sourcesAreDecodedOnce() {
        gateway.put("/one/a%20b%2Bc%25", "x");
        assertThat(copy("one/a%20b+c%25", "/one/dst").status()).isEqualTo(200);
        assertThat(copy("%2Fone%2Fa%20b%2Bc%25", "/one/dst").status()).isEqualTo(200);
    }

    @Test
    void anotherAlgorithmIsComputed() {
        Answer crc = copy("one/src", "/one/crc", "x-amz-checksum-algorithm", "CRC32C");
        assertThat(crc.element("ChecksumCRC32C")).isNotEmpty();
        Answer sha = copy("one/src", "/one/sha", "x-amz-checksum-algorithm", "SHA256");
        String value = sha.element("ChecksumSHA256");
        Answer direct =
                gateway.send(
                        new Call("PUT", "/one/direct")
                                .header("x-amz-checksum-sha256", value)
                                .body(content));
        assertThat(direct.status()).isEqualTo(200);
        Answer streamed = copy("one/src", "/two/sha", "x-amz-checksum-algorithm", "SHA256");
        assertThat(streamed.element("ChecksumSHA256")).isEqualTo(value);
    }
}
