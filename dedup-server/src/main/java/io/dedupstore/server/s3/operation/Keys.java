package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import java.nio.charset.StandardCharsets;

/** Object keys of requests. */
final class Keys {
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

    static String resource(Bucket bucket, String key) {
        return bucket.name() + "/" + key;
    }
}
