package io.dedupstore.core.jni;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.List;

/** The native CRC-64/NVME kernels. */
public final class NativeCrc64 {
    private static final DriverNames DRIVERS = DriverNames.of(NativeCrc64::drivers0);

    private NativeCrc64() {}

    /** What this processor can run, the fastest first, the plain C last. */
    public static List<String> drivers() {
        return DRIVERS.names();
    }

    /**
     * The CRC of A followed by the bytes between position and limit, from the CRC of A.
     *
     * @param bytes direct; neither position nor limit changes
     */
    public static long extend(long crcA, ByteBuffer bytes) {
        return extend(0, crcA, bytes);
    }

    /**
     * As {@link #extend(long, ByteBuffer)}.
     *
     * @param driver index in {@link #drivers()}
     */
    public static long extend(int driver, long crcA, ByteBuffer bytes) {
        long crc = extend0(DRIVERS.checked(driver), crcA, Addresses.of(bytes), bytes.remaining());
        Reference.reachabilityFence(bytes);
        return crc;
    }

    private static native String drivers0();

    private static native long extend0(int driver, long crc, long data, long length);
}
