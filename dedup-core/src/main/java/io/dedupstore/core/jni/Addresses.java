package io.dedupstore.core.jni;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Raw addresses of direct buffers. Whoever uses one keeps the buffer reachable until the call ends.
 */
final class Addresses {
    private Addresses() {}

    /** Of the byte at the buffer's position. */
    static long of(ByteBuffer direct) {
        if (!direct.isDirect()) {
            throw new IllegalArgumentException("native code reads direct buffers only");
        }
        return MemorySegment.ofBuffer(direct).address();
    }
}
