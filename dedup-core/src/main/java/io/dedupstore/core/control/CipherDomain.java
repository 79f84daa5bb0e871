package io.dedupstore.core.control;

import com.google.protobuf.ByteString;
import io.dedupstore.core.model.DomainId;

/**
 * A dedup domain of encrypted chunks: those of one dedup domain under one named key.
 *
 * @param parent domain of what is in the clear
 * @param key named key that wraps the domain's
 * @param twice whether the chunks are encrypted twice
 * @param wrappedKey the domain's key under it
 * @param keyVersion of the domain's key
 */
public record CipherDomain(
        DomainId id,
        DomainId parent,
        String key,
        boolean twice,
        ByteString wrappedKey,
        int keyVersion) {
    /** What the domain's key is authenticated to be for. */
    public String purpose() {
        return purpose(parent, key, twice);
    }

    public static String purpose(DomainId parent, String key, boolean twice) {
        return "cipher-domain/%d/%d/%s".formatted(parent.value(), twice ? 2 : 1, key);
    }
}
