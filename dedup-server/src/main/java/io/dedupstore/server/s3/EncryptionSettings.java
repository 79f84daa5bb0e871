package io.dedupstore.server.s3;

/**
 * Encryption of objects.
 *
 * @param always whether objects are encrypted with SSE-S3 where neither request nor bucket says
 *     anything
 * @param makesKeys whether a key that a client names is made where there is none of that name
 */
public record EncryptionSettings(boolean always, CustomerKeyRule customerKeys, boolean makesKeys) {
    public static final EncryptionSettings DEFAULT =
            new EncryptionSettings(false, CustomerKeyRule.LOCAL, false);
}
