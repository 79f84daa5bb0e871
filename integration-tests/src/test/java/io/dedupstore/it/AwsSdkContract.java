package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.ChecksumMode;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.MetadataDirective;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** What the AWS SDK for Java v2 does with the store, whatever the port speaks. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AwsSdkContract {
    private static final int PART_BYTES = 5 << 20;

    private ServerProcess server;
    private S3Client s3;
    private String bucket;

    abstract ServerProcess startServer() throws IOException;

    @BeforeAll
    void start() throws IOException {
        server = startServer();
        s3 = S3Clients.of(server);
    }

    @AfterAll
    void stop() throws IOException {
        if (s3 != null) {
            s3.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void makeBucket() {
        bucket = "bucket-" + UUID.randomUUID();
        s3.createBucket(b -> b.bucket(bucket));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4096, 4097, 65_536, 131_072, 131_073, 1 << 20, (8 << 20) + 1})
    void whatIsPutIsGot(int length) {
        byte[] content = TestFiles.bytes(length, length);
        PutObjectResponse put = put("key", content);
        ResponseBytes<GetObjectResponse> got = get("key");
        assertThat(got.asByteArray()).isEqualTo(content);
        assertThat(got.response().eTag()).isEqualTo(put.eTag());
        assertThat(got.response().contentLength()).isEqualTo(length);
    }

    @ParameterizedTest
    @EnumSource(
            value = ChecksumAlgorithm.class,
            names = {"CRC32", "CRC32_C", "SHA1", "SHA256"})
    void everyChecksumIsCheckedKeptAndReturned(ChecksumAlgorithm algorithm) {
        byte[] content = TestFiles.bytes(9, 300_000);
        PutObjectResponse put =
                s3.putObject(
                        b -> b.bucket(bucket).key("key").checksumAlgorithm(algorithm),
                        RequestBody.fromBytes(content));
        GetObjectResponse got =
                s3.getObjectAsBytes(
                                b -> b.bucket(bucket).key("key").checksumMode(ChecksumMode.ENABLED))
                        .response();
        assertThat(
                        List.of(
                                got.checksumCRC32() + "",
                                got.checksumCRC32C() + "",
                                got.checksumSHA1() + "",
                                got.checksumSHA256() + ""))
                .isEqualTo(
                        List.of(
                                put.checksumCRC32() + "",
                                put.checksumCRC32C() + "",
                                put.checksumSHA1() + "",
                                put.checksumSHA256() + ""))
                .anyMatch(sum -> !sum.equals("null"));
    }

    @Test
    void aWrongChecksumIsRefused() {
        assertThatThrownBy(
                        () ->
                                s3.putObject(
                                        b -> b.bucket(bucket).key("key").checksumCRC32("AAAAAA=="),
                                        RequestBody.fromString("something else")))
                .isInstanceOfSatisfying(
                        S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(400));
        assertThatThrownBy(() -> get("key")).isInstanceOf(NoSuchKeyException.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void bodiesArriveWithAndWithoutChunkedEncoding(boolean chunked) throws IOException {
        byte[] content = TestFiles.bytes(10, 3 << 20);
        try (S3Client other =
                S3Clients.of(
                        server,
                        b ->
                                b.requestChecksumCalculation(
                                                RequestChecksumCalculation.WHEN_REQUIRED)
                                        .serviceConfiguration(
                                                c ->
                                                        c.pathStyleAccessEnabled(true)
                                                                .chunkedEncodingEnabled(chunked))
                                        .forcePathStyle(null))) {
            other.putObject(b -> b.bucket(bucket).key("key"), RequestBody.fromBytes(content));
        }
        assertThat(get("key").asByteArray()).isEqualTo(content);
    }

    @Test
    void rangesAreCutFromTheWhole() {
        byte[] content = TestFiles.bytes(11, 1 << 20);
        put("key", content);
        assertThat(range("bytes=0-0")).isEqualTo(Arrays.copyOfRange(content, 0, 1));
        assertThat(range("bytes=70000-200000"))
                .isEqualTo(Arrays.copyOfRange(content, 70_000, 200_001));
        assertThat(range("bytes=-5"))
                .isEqualTo(Arrays.copyOfRange(content, content.length - 5, content.length));
        assertThat(range("bytes=1048570-"))
                .isEqualTo(Arrays.copyOfRange(content, 1_048_570, content.length));
        assertThatThrownBy(() -> range("bytes=1048576-"))
                .isInstanceOfSatisfying(
                        S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(416));
    }

    @Test
    void metadataAndHeadersComeBack() {
        s3.putObject(
                b ->
                        b.bucket(bucket)
                                .key("key")
                                .contentType("text/plain; charset=utf-8")
                                .cacheControl("max-age=1")
                                .contentDisposition("attachment")
                                .metadata(Map.of("colour", "blue", "empty", "")),
                RequestBody.fromString("text"));
        GetObjectResponse got = get("key").response();
        assertThat(got.contentType()).isEqualTo("text/plain; charset=utf-8");
        assertThat(got.cacheControl()).isEqualTo("max-age=1");
        assertThat(got.contentDisposition()).isEqualTo("attachment");
        assertThat(got.metadata()).containsEntry("colour", "blue");
    }

    @Test
    void aMultipartUploadBecomesOneObject() {
        byte[] first = TestFiles.bytes(12, PART_BYTES);
        byte[] second = TestFiles.bytes(13, PART_BYTES + 7);
        byte[] third = TestFiles.bytes(14, 1);
        String upload = s3.createMultipartUpload(b -> b.bucket(bucket).key("key")).uploadId();
        List<byte[]> parts = List.of(first, second, third);
        List<CompletedPart> completed =
                IntStream.rangeClosed(1, 3)
                        .mapToObj(number -> part(upload, number, parts.get(number - 1)))
                        .toList();
        assertThat(s3.listParts(b -> b.bucket(bucket).key("key").uploadId(upload)).parts())
                .hasSize(3);
        assertThatThrownBy(() -> get("key")).isInstanceOf(NoSuchKeyException.class);
        String tag =
                s3.completeMultipartUpload(
                                b ->
                                        b.bucket(bucket)
                                                .key("key")
                                                .uploadId(upload)
                                                .multipartUpload(m -> m.parts(completed)))
                        .eTag();
        assertThat(tag).endsWith("-3\"");
        byte[] whole = get("key").asByteArray();
        assertThat(whole).hasSize(first.length + second.length + third.length);
        assertThat(Arrays.copyOf(whole, first.length)).isEqualTo(first);
        assertThat(whole[whole.length - 1]).isEqualTo(third[0]);
        assertThat(
                        s3.getObjectAsBytes(b -> b.bucket(bucket).key("key").partNumber(2))
                                .asByteArray())
                .isEqualTo(second);
    }

    @Test
    void anAbortedUploadLeavesNothing() {
        String upload = s3.createMultipartUpload(b -> b.bucket(bucket).key("key")).uploadId();
        s3.uploadPart(
                b -> b.bucket(bucket).key("key").uploadId(upload).partNumber(1),
                RequestBody.fromBytes(TestFiles.bytes(15, PART_BYTES)));
        s3.abortMultipartUpload(b -> b.bucket(bucket).key("key").uploadId(upload));
        assertThat(s3.listMultipartUploads(b -> b.bucket(bucket)).uploads()).isEmpty();
        s3.deleteBucket(b -> b.bucket(bucket));
        assertThatThrownBy(() -> s3.headBucket(b -> b.bucket(bucket)))
                .isInstanceOf(NoSuchBucketException.class);
    }

    @Test
    void copiesHaveTheirOwnMetadataAndOutliveTheirSource() {
        byte[] content = TestFiles.bytes(16, 500_000);
        put("source", content);
        s3.copyObject(
                b ->
                        b.sourceBucket(bucket)
                                .sourceKey("source")
                                .destinationBucket(bucket)
                                .destinationKey("copy")
                                .metadataDirective(MetadataDirective.REPLACE)
                                .metadata(Map.of("own", "yes")));
        s3.deleteObject(b -> b.bucket(bucket).key("source"));
        assertThat(get("copy").asByteArray()).isEqualTo(content);
        assertThat(get("copy").response().metadata()).containsEntry("own", "yes");
    }

    @Test
    void listingsGroupAndContinue() {
        for (String key : List.of("a", "a/b", "a/c", "a0", "b/x", "c")) {
            put(key, new byte[1]);
        }
        ListObjectsV2Response grouped = s3.listObjectsV2(b -> b.bucket(bucket).delimiter("/"));
        assertThat(grouped.contents()).extracting(S3Object::key).containsExactly("a", "a0", "c");
        assertThat(grouped.commonPrefixes())
                .extracting(p -> p.prefix())
                .containsExactly("a/", "b/");
        assertThat(s3.listObjectsV2Paginator(b -> b.bucket(bucket).maxKeys(2)).contents().stream())
                .extracting(S3Object::key)
                .containsExactly("a", "a/b", "a/c", "a0", "b/x", "c");
    }

    @Test
    void manyAreDeletedAtOnce() {
        List<ObjectIdentifier> keys =
                IntStream.range(0, 30)
                        .mapToObj(i -> ObjectIdentifier.builder().key("key-" + i).build())
                        .toList();
        keys.forEach(key -> put(key.key(), new byte[10]));
        assertThat(s3.deleteObjects(b -> b.bucket(bucket).delete(d -> d.objects(keys))).deleted())
                .hasSize(30);
        assertThat(s3.listObjectsV2(b -> b.bucket(bucket)).keyCount()).isZero();
    }

    @Test
    void conditionsHold() {
        String tag = put("key", new byte[] {1}).eTag();
        assertThatThrownBy(
                        () ->
                                s3.putObject(
                                        b -> b.bucket(bucket).key("key").ifNoneMatch("*"),
                                        RequestBody.fromString("x")))
                .isInstanceOfSatisfying(
                        S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(412));
        s3.putObject(
                b -> b.bucket(bucket).key("key").ifMatch(tag), RequestBody.fromString("second"));
        assertThatThrownBy(
                        () ->
                                s3.putObject(
                                        b -> b.bucket(bucket).key("key").ifMatch(tag),
                                        RequestBody.fromString("third")))
                .isInstanceOfSatisfying(
                        S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(412));
        assertThat(get("key").asUtf8String()).isEqualTo("second");
    }

    @Test
    void aPresignedRequestNeedsNoCredentials() throws IOException {
        byte[] content = TestFiles.bytes(17, 100_000);
        put("key", content);
        try (S3Presigner presigner = S3Clients.presigner(server)) {
            HttpURLConnection connection =
                    Tls.open(
                            presigner
                                    .presignGetObject(
                                            b ->
                                                    b.signatureDuration(Duration.ofMinutes(5))
                                                            .getObjectRequest(
                                                                    r ->
                                                                            r.bucket(bucket)
                                                                                    .key("key")))
                                    .url());
            assertThat(connection.getResponseCode()).isEqualTo(200);
            try (InputStream body = connection.getInputStream()) {
                assertThat(body.readAllBytes()).isEqualTo(content);
            }
        }
    }

    @Test
    void aWrongSecretIsRefused() throws IOException {
        try (S3Presigner presigner = S3Clients.presigner(server)) {
            String url =
                    presigner
                            .presignGetObject(
                                    b ->
                                            b.signatureDuration(Duration.ofMinutes(5))
                                                    .getObjectRequest(
                                                            r -> r.bucket(bucket).key("key")))
                            .url()
                            .toString()
                            .replaceAll("X-Amz-Signature=....", "X-Amz-Signature=0000");
            assertThat(ServerProcess.status(URI.create(url))).isEqualTo(403);
        }
        assertThat(ServerProcess.status(server.credentials().s3Endpoint())).isEqualTo(403);
    }

    private CompletedPart part(String upload, int number, byte[] content) {
        String tag =
                s3.uploadPart(
                                b ->
                                        b.bucket(bucket)
                                                .key("key")
                                                .uploadId(upload)
                                                .partNumber(number),
                                RequestBody.fromBytes(content))
                        .eTag();
        return CompletedPart.builder().partNumber(number).eTag(tag).build();
    }

    private PutObjectResponse put(String key, byte[] content) {
        return s3.putObject(b -> b.bucket(bucket).key(key), RequestBody.fromBytes(content));
    }

    private ResponseBytes<GetObjectResponse> get(String key) {
        return s3.getObjectAsBytes(b -> b.bucket(bucket).key(key));
    }

    private byte[] range(String range) {
        return s3.getObjectAsBytes(b -> b.bucket(bucket).key("key").range(range)).asByteArray();
    }
}
