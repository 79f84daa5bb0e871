package io.dedupstore.server.s3.operation;

import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.Upload;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.V;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import java.util.HexFormat;
import java.util.Optional;

/** Names of multipart uploads towards clients: the hex digits of the V that created them. */
final class UploadIds {
    private UploadIds() {}

    static String format(V upload) {
        return HexFormat.of().formatHex(upload.toBytes());
    }

    static Optional<V> parse(String text) {
        try {
            return Optional.of(V.of(HexFormat.of().parseHex(text)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * @throws S3Exception NoSuchUpload for what can't be an id
     */
    static V require(String text) {
        return parse(text).orElseThrow(() -> notFound(text));
    }

    static Upload find(MetadataService metadata, BucketId bucket, ObjectKey key, String uploadId) {
        return metadata.findUpload(bucket, key, require(uploadId))
                .orElseThrow(() -> notFound(uploadId));
    }

    static S3Exception notFound(String uploadId) {
        return new S3Exception(S3Error.NO_SUCH_UPLOAD).with("UploadId", uploadId);
    }
}
