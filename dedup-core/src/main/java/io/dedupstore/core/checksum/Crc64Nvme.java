package io.dedupstore.core.checksum;

import io.dedupstore.core.jni.NativeCrc64;
import io.dedupstore.core.jni.NativeLibrary;
import java.nio.ByteBuffer;
import java.util.zip.Checksum;

/**
 * CRC-64/NVME: polynomial 0xad93d23594c93659, reflected, inverted at both ends; the check value of
 * "123456789" is 0xae8b14860a799888. An instance is a running checksum for one thread.
 */
public final class Crc64Nvme implements Checksum {
    private static final Gf2 FIELD = new Gf2(64, 0x9a6c9329ac4bc9b5L);
    private static final boolean NATIVE = NativeLibrary.available();

    private long crc;

    /** Of the bytes between position and limit; neither changes. */
    public static long of(ByteBuffer bytes) {
        return extend(0, bytes);
    }

    public static long of(byte[] bytes) {
        return extend(0, ByteBuffer.wrap(bytes));
    }

    /** The CRC of A followed by the bytes, from the CRC of A. */
    public static long extend(long crcA, ByteBuffer bytes) {
        return NATIVE && bytes.isDirect()
                ? NativeCrc64.extend(crcA, bytes)
                : Crc64NvmeTable.extend(crcA, bytes);
    }

    /** The CRC of A followed by B. */
    public static long combine(long crcA, long crcB, long lengthB) {
        return FIELD.combine(crcA, crcB, lengthB);
    }

    @Override
    public void update(int b) {
        crc = extend(crc, ByteBuffer.wrap(new byte[] {(byte) b}));
    }

    @Override
    public void update(byte[] bytes, int offset, int length) {
        crc = extend(crc, ByteBuffer.wrap(bytes, offset, length));
    }

    /** Takes all bytes and moves the position to the limit. */
    @Override
    public void update(ByteBuffer bytes) {
        crc = extend(crc, bytes);
        bytes.position(bytes.limit());
    }

    @Override
    public long getValue() {
        return crc;
    }

    @Override
    public void reset() {
        crc = 0;
    }
}
