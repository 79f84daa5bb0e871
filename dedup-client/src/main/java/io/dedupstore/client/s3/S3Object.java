package io.dedupstore.client.s3;

/**
 * An object as a listing shows it.
 *
 * @param etag with its quotation marks, as the server wrote it; empty when it wrote none
 */
public record S3Object(String key, long size, String etag) {
    public S3Object {
        if (key.isEmpty() || size < 0) {
            throw new IllegalArgumentException("object '" + key + "' of " + size + " bytes");
        }
    }
}
