package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.server.s3.QueryParameters;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import java.nio.charset.StandardCharsets;

/** Object keys and version ids of requests. */
final class Keys {
    /** The id of the only version a key has in a bucket without versioning. */
    static final String NULL_VERSION = "null";

    private Keys() {}

    /**
     * @throws S3Exception KeyTooLongError
     */
    static ObjectKey of(String key) {
        int bytes = key.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > ObjectKey.MAX_BYTES) {
            throw new S3Exception(S3Error.KEY_TOO_LONG)
                    .with("Size", Integer.toString(bytes))
                    .with("MaxSizeAllowed", Integer.toString(ObjectKey.MAX_BYTES));
        }
        try {
            return ObjectKey.of(key);
        } catch (IllegalArgumentException e) {
            throw new S3Exception(S3Error.INVALID_URI, S3Error.INVALID_URI.message(), e);
        }
    }

    static S3Exception notFound(ObjectKey key) {
        return new S3Exception(S3Error.NO_SUCH_KEY).with("Key", key.text());
    }

    static S3Exception bucketNotFound(String bucket) {
        return new S3Exception(S3Error.NO_SUCH_BUCKET).with("BucketName", bucket);
    }

    /** Refuses version ids that no version of this store can have. */
    static void checkVersionId(QueryParameters query) {
        query.first("versionId").ifPresent(Keys::checkVersionId);
    }

    static void checkVersionId(String versionId) {
        if (!versionId.equals(NULL_VERSION)) {
            throw S3Exception.invalidArgument(
                    "Invalid version id specified", "versionId", versionId);
        }
    }

    static String resource(Bucket bucket, String key) {
        return bucket.name() + "/" + key;
    }
}
