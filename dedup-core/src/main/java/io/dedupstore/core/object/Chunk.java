package io.dedupstore.core.object;

import io.dedupstore.core.model.ChunkSums;
import io.dedupstore.core.model.Fingerprint;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A chunk of a window on its way.
 *
 * @param bytes a view into the window
 * @param fingerprint null for a zero chunk
 */
record Chunk(ByteBuffer bytes, @Nullable Fingerprint fingerprint, ChunkSums sums) {
    int length() {
        return bytes.remaining();
    }
}
