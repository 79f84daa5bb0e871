package io.dedupstore.core.spi;

import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.Fingerprint;
import java.nio.ByteBuffer;

/**
 * Takes the cipher off chunks as they are read: the store keeps encrypted bytes and has no keys.
 * Any number of platform threads.
 */
@FunctionalInterface
public interface ChunkOpener {
    /** For readers of what is not encrypted. */
    ChunkOpener NONE =
            chunk -> {
                throw new ChunkStoreException(
                        ChunkStoreException.Code.UNAVAILABLE,
                        "the chunk is encrypted and its key is not at hand");
            };

    /**
     * What a record says of an encrypted chunk.
     *
     * @param codec what the bytes under the cipher were compressed with
     * @param length plain bytes
     * @param stored unchanged afterwards
     */
    record Sealed(
            int cipher,
            DomainId domain,
            int keyVersion,
            Fingerprint fingerprint,
            int codec,
            int length,
            ByteBuffer stored) {}

    /**
     * The bytes under the cipher, still compressed; good until the thread's next call.
     *
     * @throws ChunkStoreException DAMAGED when they do not verify, UNAVAILABLE without the key
     */
    ByteBuffer open(Sealed chunk);
}
