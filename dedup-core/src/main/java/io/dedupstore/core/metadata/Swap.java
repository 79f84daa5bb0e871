package io.dedupstore.core.metadata;

import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.Fingerprint;

/** A chunk that a holder has unindexed at one address, and the one that the index has for it. */
public record Swap(Fingerprint fingerprint, ChunkAddress unindexed, ChunkAddress indexed) {
    public Swap {
        if (unindexed.equals(indexed)) {
            throw new IllegalArgumentException("an unindexed address is never published");
        }
    }

    ChunkReference reference() {
        return new ChunkReference(fingerprint, indexed);
    }
}
