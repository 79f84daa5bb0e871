package io.dedupstore.core.chunking;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The S2 gear scan in Java; the twin and oracle of the native kernels. Format:
 * docs/formats/chunking.md.
 */
final class JavaGearChunker implements Chunker {

    /** h covers this many bytes, the tested one included. */
    private static final int WINDOW_BYTES = 64;

    private final ChunkingSpec.Cdc spec;
    private final int[] gear;

    JavaGearChunker(ChunkingSpec.Cdc spec, GearTable table) {
        this.spec = spec;
        this.gear = table.table();
    }

    @Override
    public int cuts(ByteBuffer window, boolean endOfInput, int[] lengths) {
        ByteBuffer words = window.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        int start = window.position();
        int count = 0;
        while (count < lengths.length && start < window.limit()) {
            int length = nextCut(words, start, endOfInput);
            if (length == 0) {
                break;
            }
            lengths[count++] = length;
            start += length;
        }
        return count;
    }

    /** Length of the chunk that begins at start, or 0 where more bytes must be seen first. */
    private int nextCut(ByteBuffer window, int start, boolean endOfInput) {
        int available = Math.min(window.limit() - start, spec.max());
        // A cut of length L is decided by the hash after byte L - 1.
        int loose = start + spec.avg() - 1;
        int end = start + available;
        int cut =
                scan(window, start + spec.min() - 1, Math.min(loose, end), spec.strictThreshold());
        if (cut < 0) {
            cut = scan(window, loose, end, spec.looseThreshold());
        }
        if (cut >= 0) {
            return cut + 1 - start;
        }
        return endOfInput || available == spec.max() ? available : 0;
    }

    /** First index in [from, to) whose hash is below the threshold, or -1. */
    private int scan(ByteBuffer window, int from, int to, int threshold) {
        if (from >= to) {
            return -1;
        }
        int limit = threshold + Integer.MIN_VALUE;
        int[] g = gear;
        int even = 0;
        int odd = 0;
        int i = from - (WINDOW_BYTES - 2);
        int last = g[window.get(i - 1) & 0xff];
        for (; i < from; i += 2) {
            int g0 = g[window.get(i) & 0xff];
            int g1 = g[window.get(i + 1) & 0xff];
            even = 2 * even + g0 + last;
            odd = 2 * odd + g1 + g0;
            last = g1;
        }
        // Eight bytes with one access: twice as fast as byte by byte.
        for (; i + Long.BYTES <= to; i += Long.BYTES) {
            long word = window.getLong(i);
            for (int j = 0; j < Long.BYTES; j += 2, word >>>= 16) {
                int g0 = g[(int) word & 0xff];
                int g1 = g[(int) word >>> 8 & 0xff];
                even = 2 * even + g0 + last;
                odd = 2 * odd + g1 + g0;
                last = g1;
                if (even + Integer.MIN_VALUE < limit) {
                    return i + j;
                }
                if (odd + Integer.MIN_VALUE < limit) {
                    return i + j + 1;
                }
            }
        }
        for (; i < to; i++) {
            int g0 = g[window.get(i) & 0xff];
            int h = 2 * even + g0 + last;
            if (h + Integer.MIN_VALUE < limit) {
                return i;
            }
            even = odd;
            odd = h;
            last = g0;
        }
        return -1;
    }

    @Override
    public int maxChunkLength() {
        return spec.max();
    }

    @Override
    public String driverName() {
        return "java";
    }
}
