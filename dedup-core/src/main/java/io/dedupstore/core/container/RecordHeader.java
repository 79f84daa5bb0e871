package io.dedupstore.core.container;

import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.V;

/**
 * What a record says of its chunk.
 *
 * @param codec id of the compression codec
 * @param cipher 0 for none
 * @param length plain bytes
 */
public record RecordHeader(
        int slot,
        DomainId domain,
        Fingerprint fingerprint,
        V v,
        int codec,
        int cipher,
        int keyVersion,
        int storedLength,
        int length) {
    public RecordHeader {
        if (slot < 0
                || slot >= ChunkAddress.MAX_SLOTS
                || codec < 0
                || codec > 255
                || cipher < 0
                || cipher > 255
                || storedLength < 0
                || storedLength > ContainerFormat.MAX_STORED_LENGTH
                || length < 1
                || length > ContainerFormat.MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "bad record: slot %d, codec %d, cipher %d, %d stored bytes for %d"
                            .formatted(slot, codec, cipher, storedLength, length));
        }
    }
}
