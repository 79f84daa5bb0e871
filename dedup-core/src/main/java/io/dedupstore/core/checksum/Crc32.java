package io.dedupstore.core.checksum;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** CRC-32 of ISO-HDLC (zip, Ethernet); the JDK's own is vectorised. Values are 32 bits. */
public final class Crc32 {
    private static final Gf2 FIELD = new Gf2(32, 0xedb88320L);

    private Crc32() {}

    /** Of the bytes between position and limit; neither changes. */
    public static int of(ByteBuffer bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    public static int of(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /** The CRC of A followed by B. */
    public static int combine(int crcA, int crcB, long lengthB) {
        long a = Integer.toUnsignedLong(crcA);
        return (int) FIELD.combine(a, Integer.toUnsignedLong(crcB), lengthB);
    }
}
