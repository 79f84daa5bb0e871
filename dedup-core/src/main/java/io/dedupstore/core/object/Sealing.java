package io.dedupstore.core.object;

import io.dedupstore.core.cipher.AttemptCipher;
import io.dedupstore.core.cipher.ChunkCipher;
import io.dedupstore.core.cipher.RootKey;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.V;
import org.jspecify.annotations.Nullable;

/**
 * How a body is encrypted before it is stored.
 *
 * @param key null with no cipher only
 */
public record Sealing(ChunkCipher cipher, @Nullable RootKey key) {
    /** Not at all. */
    public static final Sealing NONE = new Sealing(ChunkCipher.NONE, null);

    public Sealing {
        if ((cipher == ChunkCipher.NONE) != (key == null)) {
            throw new IllegalArgumentException(cipher + " and its key do not go together");
        }
    }

    /** With a key of the dedup domain that the body is written to. */
    public static Sealing domain(RootKey key, boolean twice) {
        return new Sealing(twice ? ChunkCipher.DOMAIN_TWICE : ChunkCipher.DOMAIN, key);
    }

    /**
     * With a key that the server does not keep. Nothing of such a body is shared with anything: its
     * chunks have names of their own instead of fingerprints, zero chunks are stored like others,
     * and the manifest keeps no sums.
     */
    public static Sealing customer(RootKey key) {
        return new Sealing(ChunkCipher.CUSTOMER, key);
    }

    boolean isCustomers() {
        return cipher == ChunkCipher.CUSTOMER;
    }

    /** What encrypts the bytes of an attempt; null where nothing does. */
    @Nullable AttemptCipher begin(DomainId domain, V v) {
        RootKey present = key;
        return present == null ? null : new AttemptCipher(cipher, present, domain, v);
    }
}
