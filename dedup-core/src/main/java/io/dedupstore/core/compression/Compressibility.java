package io.dedupstore.core.compression;

import java.nio.ByteBuffer;

/**
 * Looks at 4 KiB of a chunk, taken in 16 places, before a codec is set to work on all of it: where
 * bytes are as evenly distributed as in random data, the chunk is encrypted or compressed already.
 * Random bytes that repeat within the chunk are missed; that is rare and costs space only.
 */
final class Compressibility {
    private static final int PLACES = 16;
    private static final int PLACE_BYTES = 256;
    private static final int SAMPLE_BYTES = PLACES * PLACE_BYTES;

    /**
     * Sum of squared byte counts. Random bytes give n²/256 + n = 69,632 with a deviation of about
     * 360; base64 text gives four times n²/256.
     */
    private static final int POOR_BELOW = 72_000;

    private Compressibility() {}

    static boolean isPoor(ByteBuffer chunk) {
        int length = chunk.remaining();
        if (length < SAMPLE_BYTES) {
            return false;
        }
        int[] counts = new int[256];
        int stride = (length - PLACE_BYTES) / (PLACES - 1);
        for (int place = 0; place < PLACES; place++) {
            int from = chunk.position() + place * stride;
            for (int i = from; i < from + PLACE_BYTES; i++) {
                counts[chunk.get(i) & 0xff]++;
            }
        }
        int squares = 0;
        for (int count : counts) {
            squares += count * count;
        }
        return squares < POOR_BELOW;
    }
}
