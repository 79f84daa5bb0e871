package io.dedupstore.core.jni;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/** The native CRC-64/NVME kernel. */
public final class NativeCrc64 {
    private NativeCrc64() {}

    /**
     * The CRC of A followed by the bytes between position and limit, from the CRC of A.
     *
     * @param bytes direct; neither position nor limit changes
     */
    public static long extend(long crcA, ByteBuffer bytes) {
        long crc = extend0(crcA, Addresses.of(bytes), bytes.remaining());
        Reference.reachabilityFence(bytes);
        return crc;
    }

    private static native long extend0(long crc, long data, long length);
}
