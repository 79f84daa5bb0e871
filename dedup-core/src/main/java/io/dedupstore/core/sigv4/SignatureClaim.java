package io.dedupstore.core.sigv4;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;

/**
 * What a request says about its own signature: well-formed, nothing of it verified.
 *
 * @param signedHeaders sorted, lower case
 * @param expiresSeconds present on presigned URLs only
 * @param payloadHash the last line of the canonical request
 */
public record SignatureClaim(
        String accessKey,
        CredentialScope scope,
        Instant time,
        List<String> signedHeaders,
        String signature,
        OptionalInt expiresSeconds,
        String payloadHash,
        PayloadMode payloadMode) {
    public SignatureClaim {
        signedHeaders = List.copyOf(signedHeaders);
    }

    public boolean presigned() {
        return expiresSeconds.isPresent();
    }
}
