package io.dedupstore.server.config;

import java.util.List;

/**
 * Encryption of objects.
 *
 * @param keys ids of named keys that are made where they are missing
 */
public record EncryptionConfig(
        DefaultEncryption byDefault,
        CustomerKeyRule customerKeys,
        List<String> keys,
        UnknownKeyRule unknownKeys) {
    public EncryptionConfig {
        keys = List.copyOf(keys);
    }
}
