package io.dedupstore.core.metadata;

import io.dedupstore.core.model.DomainId;
import java.util.Arrays;

/** How the bytes of a version are encrypted, and what clients said about it. */
public sealed interface ObjectEncryption {
    /**
     * With a key of the server's.
     *
     * @param domain whose key it is, and whose chunks the version shares
     */
    record Managed(DomainId domain) implements ObjectEncryption {}

    /**
     * With a key that a key of the key service wraps.
     *
     * @param keyId as the client named it
     * @param context encryption context as the client sent it, Base64; empty for none
     * @param bucketKey whether the client asked for a bucket key
     * @param twice whether there are two layers
     */
    record Kms(DomainId domain, String keyId, String context, boolean bucketKey, boolean twice)
            implements ObjectEncryption {}

    /**
     * With a key that only the client has.
     *
     * @param salt random
     * @param check of the key under the salt: tells whether another key is the same
     */
    record Customer(byte[] salt, byte[] check) implements ObjectEncryption {
        @Override
        public boolean equals(Object o) {
            return o instanceof Customer c
                    && Arrays.equals(salt, c.salt)
                    && Arrays.equals(check, c.check);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(salt);
        }
    }
}
