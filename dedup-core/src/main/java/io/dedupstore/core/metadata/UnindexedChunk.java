package io.dedupstore.core.metadata;

import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.Fingerprint;
import java.util.List;

/**
 * A chunk that a holder has unindexed.
 *
 * @param length plain bytes
 * @param rows of the manifest that name it, ascending
 */
public record UnindexedChunk(
        Fingerprint fingerprint, ChunkAddress address, int length, List<Integer> rows) {
    public UnindexedChunk {
        rows = List.copyOf(rows);
    }
}
