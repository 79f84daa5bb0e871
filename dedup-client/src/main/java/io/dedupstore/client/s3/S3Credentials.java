package io.dedupstore.client.s3;

import org.jspecify.annotations.Nullable;

/**
 * Keys of whoever reads.
 *
 * @param sessionToken of temporary keys
 */
public record S3Credentials(String accessKey, String secretKey, @Nullable String sessionToken) {
    public S3Credentials {
        if (accessKey.isBlank() || secretKey.isBlank()) {
            throw new IllegalArgumentException("access key and secret key must not be empty");
        }
    }

    @Override
    public String toString() {
        return "S3Credentials[" + accessKey + "]";
    }
}
