package io.dedupstore.core.checksum;

import io.dedupstore.core.model.ChunkSums;
import java.nio.ByteBuffer;

/**
 * The three CRCs kept per chunk, so that those of any row of chunks follow without reading them.
 */
public final class ChunkCrcs {
    /** Of no bytes; the neutral element of {@link #combine}. */
    public static final ChunkSums EMPTY = new ChunkSums(0, 0, 0);

    private ChunkCrcs() {}

    /** Of the bytes between position and limit; neither changes. */
    public static ChunkSums of(ByteBuffer chunk) {
        return new ChunkSums(Crc32.of(chunk), Crc32c.of(chunk), Crc64Nvme.of(chunk));
    }

    /** Of A followed by B. */
    public static ChunkSums combine(ChunkSums a, ChunkSums b, long lengthB) {
        return new ChunkSums(
                Crc32.combine(a.crc32(), b.crc32(), lengthB),
                Crc32c.combine(a.crc32c(), b.crc32c(), lengthB),
                Crc64Nvme.combine(a.crc64nvme(), b.crc64nvme(), lengthB));
    }
}
