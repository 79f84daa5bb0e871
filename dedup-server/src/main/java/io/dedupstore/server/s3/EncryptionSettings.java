package io.dedupstore.server.s3;

/**
 * Encryption of objects.
 *
 * @param always whether objects are encrypted with SSE-S3 where neither request nor bucket says
 *     anything
 */
public record EncryptionSettings(boolean always, CustomerKeyRule customerKeys) {
    public static final EncryptionSettings DEFAULT =
            new EncryptionSettings(false, CustomerKeyRule.LOCAL);
}
