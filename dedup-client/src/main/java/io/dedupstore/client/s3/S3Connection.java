package io.dedupstore.client.s3;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Where an S3 server is and as whom it is asked. Buckets are addressed in the path.
 *
 * @param endpoint scheme, host and port
 * @param credentials null asks without a signature, for public buckets
 * @param trustAnyCertificate for a try-out with a self-signed certificate
 */
public record S3Connection(
        URI endpoint,
        String region,
        @Nullable S3Credentials credentials,
        boolean trustAnyCertificate) {
    public S3Connection {
        String scheme = endpoint.getScheme();
        if (!("http".equals(scheme) || "https".equals(scheme)) || endpoint.getHost() == null) {
            throw new IllegalArgumentException(
                    "the S3 endpoint must be like http://127.0.0.1:9000, not " + endpoint);
        }
        if (region.isBlank()) {
            throw new IllegalArgumentException("the region must not be empty");
        }
    }

    /** The host as HTTP clients send it: without the scheme's own port. */
    String hostHeader() {
        int port = endpoint.getPort();
        int usual = "https".equals(endpoint.getScheme()) ? 443 : 80;
        return port == -1 || port == usual ? endpoint.getHost() : endpoint.getHost() + ":" + port;
    }

    URI resolve(String rawTarget) {
        return URI.create(endpoint.getScheme() + "://" + endpoint.getRawAuthority() + rawTarget);
    }
}
