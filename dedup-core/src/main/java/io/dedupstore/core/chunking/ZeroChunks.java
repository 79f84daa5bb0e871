package io.dedupstore.core.chunking;

import java.nio.ByteBuffer;

/** All-zero chunks need neither storage nor index. */
public final class ZeroChunks {
    private static final int STEP_BYTES = 4 << 10;
    private static final ByteBuffer ZEROS =
            ByteBuffer.allocateDirect(STEP_BYTES).asReadOnlyBuffer();

    private ZeroChunks() {}

    /**
     * Whether all bytes between position and limit are zero; an empty buffer has none and is not.
     */
    public static boolean isZero(ByteBuffer chunk) {
        int position = chunk.position();
        int limit = chunk.limit();
        if (position == limit || chunk.get(position) != 0 || chunk.get(limit - 1) != 0) {
            return false;
        }
        for (int at = position; at < limit; at += STEP_BYTES) {
            int length = Math.min(STEP_BYTES, limit - at);
            if (chunk.slice(at, length).mismatch(ZEROS.slice(0, length)) >= 0) {
                return false;
            }
        }
        return true;
    }
}
