package io.dedupstore.core.checksum;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC-32C of Castagnoli (iSCSI); the JDK's own is vectorised. Values are 32 bits. */
public final class Crc32c {
    private static final long POLYNOMIAL = 0x82f63b78L;

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
        return (int)
                Gf2.combine(
                        32,
                        POLYNOMIAL,
                        Integer.toUnsignedLong(crcA),
                        Integer.toUnsignedLong(crcB),
                        lengthB);
    }
}
