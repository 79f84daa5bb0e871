package io.dedupstore.core.checksum;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC-32C of Castagnoli (iSCSI); the JDK's own is vectorised. Values are 32 bits. */
public final class Crc32c {
    private static final Gf2 FIELD = new Gf2(32, 0x82f63b78L);

    private Crc32c() {}

    /** Of the bytes between position and limit; neither changes. */
    public static int of(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    public static int of(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /** The CRC of A followed by B. */
    public static int combine(int crcA, int crcB, long lengthB) {
        long a = Integer.toUnsignedLong(crcA);
        return (int) FIELD.combine(a, Integer.toUnsignedLong(crcB), lengthB);
    }
}
