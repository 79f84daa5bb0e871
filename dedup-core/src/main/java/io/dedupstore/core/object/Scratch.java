package io.dedupstore.core.object;

import java.nio.ByteBuffer;

/** Room of a thread of the hash pool for one compressed chunk on its way to the cipher. */
final class Scratch {
    private static final int FIRST_BYTES = 64 << 10;
    private static final ThreadLocal<Scratch> OF_THREAD = ThreadLocal.withInitial(Scratch::new);

    private ByteBuffer buffer = ByteBuffer.allocateDirect(FIRST_BYTES);

    private Scratch() {}

    /** At least so many bytes; good until the thread's next call. */
    static ByteBuffer ofBytes(int bytes) {
        Scratch scratch = OF_THREAD.get();
        if (scratch.buffer.capacity() < bytes) {
            scratch.buffer = ByteBuffer.allocateDirect(bytes);
        }
        return scratch.buffer.clear();
    }
}
