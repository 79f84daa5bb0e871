package io.dedupstore.core.cipher;

import io.dedupstore.core.model.DomainId;

/** Finds the key that sealed bytes say they need. Any thread. */
@FunctionalInterface
public interface RootKeys {
    /** Has none. */
    RootKeys NONE =
            (cipher, domain, version) -> {
                throw new CipherException(
                        CipherException.Code.NO_KEY, "no keys are at hand to open anything");
            };

    /**
     * @throws CipherException NO_KEY
     */
    RootKey of(ChunkCipher cipher, DomainId domain, int version);
}
