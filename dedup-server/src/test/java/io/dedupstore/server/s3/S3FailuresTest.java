package io.dedupstore.server.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.control.ControlException;
import io.dedupstore.core.metadata.MetadataException;
import io.dedupstore.core.object.ObjectStoreException;
import io.dedupstore.core.sigv4.SigV4Exception;
import io.dedupstore.server.http.BodyTimeoutException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class S3FailuresTest {
    @ParameterizedTest
    @EnumSource
    void everySignatureFailureHasAnErrorOfItsOwnCode(SigV4Exception.Reason reason) {
        S3Exception error = S3Failures.toS3(new SigV4Exception(reason, "why", Map.of("A", "b")));
        assertThat(error.error().code()).isEqualTo(reason.s3Code());
        assertThat(error.error().status()).isEqualTo(reason.httpStatus());
        assertThat(error).hasMessage("why");
        assertThat(error.fields()).containsEntry("A", "b");
    }

    @ParameterizedTest
    @CsvSource({
        "PRECONDITION_FAILED, PreconditionFailed, 412",
        "NO_SUCH_KEY, NoSuchKey, 404",
        "NO_SUCH_UPLOAD, NoSuchUpload, 404",
        "INVALID_PART, InvalidPart, 400",
        "BUCKET_NOT_EMPTY, BucketNotEmpty, 409",
        "QUOTA_EXCEEDED, QuotaExceeded, 403",
        "ABORTED, ServiceUnavailable, 503",
        "UNKNOWN, InternalError, 500",
    })
    void refusalsOfTheMetadataAreDefiniteAndUnknownOutcomesAreNot(
            MetadataException.Code code, String s3, int status) {
        S3Exception error = S3Failures.toS3(new MetadataException(code, "inside"));
        assertThat(error.error().code()).isEqualTo(s3);
        assertThat(error.error().status()).isEqualTo(status);
        assertThat(error.getMessage()).doesNotContain("inside");
    }

    @ParameterizedTest
    @CsvSource({
        "SLOW_DOWN, SlowDown", "FULL, InsufficientStorage", "UNAVAILABLE, ServiceUnavailable",
        "STALE, ServiceUnavailable", "GONE, InternalError", "DAMAGED, InternalError"
    })
    void theObjectLayerSaysWhetherToTryAgain(ObjectStoreException.Code code, String s3) {
        S3Exception error = S3Failures.toS3(new ObjectStoreException(code, "inside"));
        assertThat(error.error().code()).isEqualTo(s3);
        assertThat(error.error().status()).isGreaterThanOrEqualTo(500);
    }

    @Test
    void theRestIsMappedToo() {
        assertThat(code(new BodyTimeoutException("slow"))).isEqualTo("RequestTimeout");
        assertThat(code(new IOException("any"))).isEqualTo("InternalError");
        assertThat(code(new ControlException(ControlException.Code.BUCKET_EXISTS, "")))
                .isEqualTo("BucketAlreadyExists");
        for (ControlException.Code code : ControlException.Code.values()) {
            assertThat(code(new ControlException(code, ""))).isNotEmpty();
        }
    }

    @Test
    void errorDocumentsCarryTheIdsOfTheHeaders() {
        RequestIds ids = new RequestIds("00AB", "host/id=");
        byte[] document =
                ErrorDocument.document(
                        new S3Exception(S3Error.NO_SUCH_KEY).with("Key", "a<b"), ids, "/b/a<b");
        XmlElement root = XmlReader.parse(document, "Error");
        assertThat(root.children())
                .extracting(XmlElement::name)
                .containsExactly("Code", "Message", "Key", "Resource", "RequestId", "HostId");
        assertThat(root.requiredText("Key")).isEqualTo("a<b");
        assertThat(root.requiredText("RequestId")).isEqualTo("00AB");
        assertThat(new String(document, StandardCharsets.UTF_8)).doesNotContain("xmlns");
    }

    private static String code(Throwable failure) {
        return S3Failures.toS3(failure).error().code();
    }
}
