package io.dedupstore.server.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.server.http.RequestHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class S3RequestParserTest {
    private final S3RequestParser parser =
            new S3RequestParser(List.of("s3.example.com", "localhost"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET | / | ListBuckets",
                "GET | /?x-id=ListBuckets | ListBuckets",
                "GET | /?max-buckets=2&prefix=a | ListBuckets",
                "PUT | /b | CreateBucket",
                "PUT | /b/ | CreateBucket",
                "HEAD | /b | HeadBucket",
                "DELETE | /b?x-id=DeleteBucket | DeleteBucket",
                "GET | /b?location | GetBucketLocation",
                "GET | /b | ListObjectsV1",
                "GET | /b/?prefix=a&delimiter=%2F&marker= | ListObjectsV1",
                "GET | /b?list-type=2&encoding-type=url | ListObjectsV2",
                "GET | /b?versions&prefix=a | ListObjectVersions",
                "GET | /b?uploads&key-marker=a | ListMultipartUploads",
                "POST | /b?delete | DeleteObjects",
                "POST | /b?delete=&x-id=DeleteObjects | DeleteObjects",
                "GET | /b?policy | GetBucketConfiguration",
                "GET | /b?versioning | GetBucketConfiguration",
                "GET | /b?inventory&id=x | GetBucketConfiguration",
                "DELETE | /b?lifecycle | DeleteBucketConfiguration",
                "DELETE | /b?versioning | UnsupportedOnBucket",
                "PUT | /b?policy | PutBucketConfiguration",
                "PUT | /b?acl | PutBucketConfiguration",
                "PUT | /b?replication | UnsupportedOnBucket",
                "GET | /b?frobnicate | UnsupportedOnBucket",
                "GET | /b?frobnicate=1 | UnsupportedOnBucket",
                "GET | /b?events=s3:ObjectCreated&prefix=a | UnsupportedOnBucket",
                "GET | /b?policy&cors | UnsupportedOnBucket",
                "HEAD | /b?frobnicate | UnsupportedOnBucket",
                "POST | /b | PostObject",
                "GET | /b?session | UnsupportedOnBucket",
                "PUT | /b/k | PutObject",
                "PUT | /b/k?x-id=PutObject | PutObject",
                "GET | /b/k | GetObject",
                "GET | /b/k?partNumber=1 | GetObject",
                "GET | /b/k?response-content-type=a | GetObject",
                "GET | /b/k?X-Amz-Signature=0&X-Amz-Expires=60 | GetObject",
                "GET | /b/k?AWSAccessKeyId=a&Signature=b&Expires=1 | GetObject",
                "HEAD | /b/k?versionId=null | HeadObject",
                "DELETE | /b/k | DeleteObject",
                "GET | /b/k?attributes | GetObjectAttributes",
                "GET | /b/k?acl | GetObjectAcl",
                "GET | /b/k?tagging | GetObjectTagging",
                "DELETE | /b/k?tagging | DeleteObjectTagging",
                "GET | /b/k?retention | GetObjectRetention",
                "PUT | /b/k?retention&versionId=null | PutObjectRetention",
                "PUT | /b/k?legal-hold | PutObjectLegalHold",
                "GET | /b/k?legal-hold&versionId=null | GetObjectLegalHold",
                "POST | /b/k?uploads | CreateMultipartUpload",
                "PUT | /b/k?partNumber=1&uploadId=u | UploadPart",
                "GET | /b/k?uploadId=u&max-parts=2 | ListParts",
                "POST | /b/k?uploadId=u | CompleteMultipartUpload",
                "DELETE | /b/k?uploadId=u | AbortMultipartUpload",
                "PUT | /b/k?tagging | PutObjectTagging",
                "PUT | /b/k?acl | PutObjectAcl",
                "PUT | /b/k?renameObject | UnsupportedOnObject",
                "POST | /b/k?restore | UnsupportedOnObject",
                "POST | /b/k?select&select-type=2 | UnsupportedOnObject",
                "GET | /b/k?torrent | UnsupportedOnObject",
                "GET | /b/k?frobnicate | UnsupportedOnObject",
                "PUT | /b/k?frobnicate | UnsupportedOnObject",
            })
    void methodAndQuerySelectTheOperation(String method, String target, String operation) {
        assertThat(parse(method, target).name()).isEqualTo(operation);
    }

    @Test
    void aCopySourceMakesACopy() {
        assertThat(parse("PUT", "/b/k", "x-amz-copy-source", "/a/b"))
                .isEqualTo(new S3Operation.CopyObject("b", "k"));
        assertThat(parse("PUT", "/b/k?uploadId=u&partNumber=2", "x-amz-copy-source", "/a/b"))
                .isEqualTo(new S3Operation.UploadPartCopy("b", "k", "u", "2"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/b//k | b | /k",
                "/b/k/ | b | k/",
                "/b/a/../b | b | a/../b",
                "/b/a%2Fb | b | a/b",
                "/b/a+b%20c%2B | b | a+b c+",
                "/b/%E2%82%AC | b | \u20ac",
                "/b/%2525 | b | %25",
                "/b/%F0%9F%98%80 | b | \ud83d\ude00",
            })
    void keysAreDecodedOnceAndNeverNormalised(String target, String bucket, String key) {
        assertThat(parse("GET", target)).isEqualTo(new S3Operation.GetObject(bucket, key));
    }

    @Test
    void rawUtf8BytesInThePathAreTaken() {
        assertThat(parse("GET", "/b/\u00e2\u0082\u00ac"))
                .isEqualTo(new S3Operation.GetObject("b", "\u20ac"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/b/%zz", "/b/%4", "/b/%", "/b/%FF", "/b/%C3", "/b?prefix=%FF", "*"})
    void whatCannotBeDecodedIsAnInvalidUri(String target) {
        assertThatThrownBy(() -> parse("GET", target))
                .isInstanceOfSatisfying(
                        S3Exception.class,
                        e -> assertThat(e.error()).isEqualTo(S3Error.INVALID_URI));
    }

    @ParameterizedTest
    @CsvSource({
        "photos.s3.example.com, /k, photos",
        "photos.s3.example.com:9000, /k, photos",
        "PHOTOS.S3.EXAMPLE.COM, /k, photos",
        "my.photos.s3.example.com, /k, my.photos",
        "photos.localhost:9000, /k, photos",
        "s3.example.com, /photos/k, photos",
        "other.org, /photos/k, photos",
        "127.0.0.1:9000, /photos/k, photos",
        "[::1]:9000, /photos/k, photos",
        "[::1], /photos/k, photos",
    })
    void theHostNamesTheBucketUnderABaseDomain(String host, String target, String bucket) {
        RequestHeaders headers = RequestHeaders.of(List.of(Map.entry("host", host)));
        assertThat(parser.parse("GET", target, headers).operation())
                .isEqualTo(new S3Operation.GetObject(bucket, "k"));
    }

    @ParameterizedTest
    @CsvSource({"PUT, /", "DELETE, /", "PATCH, /b", "PATCH, /b/k", "POST, /b/k"})
    void otherMethodsAreNotAllowed(String method, String target) {
        assertThatThrownBy(() -> parse(method, target))
                .isInstanceOfSatisfying(
                        S3Exception.class,
                        e -> assertThat(e.error()).isEqualTo(S3Error.METHOD_NOT_ALLOWED));
    }

    @Test
    void aPartNumberNeedsAnUpload() {
        assertThatThrownBy(() -> parse("PUT", "/b/k?partNumber=1"))
                .isInstanceOfSatisfying(
                        S3Exception.class,
                        e -> assertThat(e.error()).isEqualTo(S3Error.INVALID_ARGUMENT));
    }

    private S3Operation parse(String method, String target, String... header) {
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        headers.add(Map.entry("host", "localhost:9000"));
        if (header.length == 2) {
            headers.add(Map.entry(header[0], header[1]));
        }
        return parser.parse(method, target, RequestHeaders.of(headers)).operation();
    }
}
