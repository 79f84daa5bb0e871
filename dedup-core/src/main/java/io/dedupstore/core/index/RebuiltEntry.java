package io.dedupstore.core.index;

import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ManifestEntry;

/**
 * What manifests say of one chunk.
 *
 * @param length plain bytes
 * @param references of holders
 * @param adopt whether the slot does not know yet that it has an owner
 * @param suspect whether its bytes are known to be damaged
 */
public record RebuiltEntry(
        Fingerprint fingerprint,
        ChunkAddress address,
        int length,
        long references,
        boolean adopt,
        boolean suspect) {
    public RebuiltEntry {
        if (length < 1 || length > ManifestEntry.MAX_CHUNK_BYTES) {
            throw new IllegalArgumentException("chunk length " + length);
        }
        if (references < 1 || references > Entry.MAX_REFERENCES) {
            throw new IllegalArgumentException("references " + references);
        }
    }
}
