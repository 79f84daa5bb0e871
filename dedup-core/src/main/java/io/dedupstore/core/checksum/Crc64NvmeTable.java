package io.dedupstore.core.checksum;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The Java twin: slicing by eight, after Kounavis and Berry, "A systematic approach to CRCs"
 * (2005).
 */
final class Crc64NvmeTable {
    private static final long POLYNOMIAL = 0x9a6c9329ac4bc9b5L;
    private static final int SLICES = 8;
    private static final long[] TABLE = table();

    private Crc64NvmeTable() {}

    static long extend(long crcA, ByteBuffer bytes) {
        ByteBuffer in = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        long[] t = TABLE;
        long crc = ~crcA;
        int at = in.position();
        int limit = in.limit();
        for (; limit - at >= Long.BYTES; at += Long.BYTES) {
            long v = crc ^ in.getLong(at);
            crc =
                    t[7 << 8 | (int) v & 0xff]
                            ^ t[6 << 8 | (int) (v >>> 8) & 0xff]
                            ^ t[5 << 8 | (int) (v >>> 16) & 0xff]
                            ^ t[4 << 8 | (int) (v >>> 24) & 0xff]
                            ^ t[3 << 8 | (int) (v >>> 32) & 0xff]
                            ^ t[2 << 8 | (int) (v >>> 40) & 0xff]
                            ^ t[1 << 8 | (int) (v >>> 48) & 0xff]
                            ^ t[(int) (v >>> 56)];
        }
        for (; at < limit; at++) {
            crc = t[(int) (crc ^ in.get(at)) & 0xff] ^ crc >>> 8;
        }
        return ~crc;
    }

    private static long[] table() {
        long[] t = new long[SLICES << 8];
        for (int b = 0; b < 256; b++) {
            long crc = b;
            for (int bit = 0; bit < 8; bit++) {
                crc = crc >>> 1 ^ -(crc & 1) & POLYNOMIAL;
            }
            t[b] = crc;
        }
        for (int i = 256; i < t.length; i++) {
            long before = t[i - 256];
            t[i] = t[(int) before & 0xff] ^ before >>> 8;
        }
        return t;
    }
}
