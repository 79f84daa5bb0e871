package io.dedupstore.core.jni;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/** The native SHA-256 kernels. Static methods may be called by any number of threads. */
public final class NativeSha256 {
    public static final int BLOCK = 64;
    public static final int LENGTH = 32;

    private static final int STATE_WORDS = 8;

    private NativeSha256() {}

    /**
     * A persistent table of jobs, so that a call costs no allocation; for one thread at a time. Its
     * memory lives as long as the object.
     */
    public static final class Table {
        /** Rows: more than enough for all lanes; longer lists are done in turns. */
        public static final int ROWS = 512;

        private static final long ROW_BYTES = 24;

        private final MemorySegment jobs = Arena.ofAuto().allocate(ROWS * ROW_BYTES, Long.BYTES);
        private final MemorySegment digests = Arena.ofAuto().allocate((long) ROWS * LENGTH, BLOCK);

        /**
         * SHA-256 of the bytes between position and limit of each buffer.
         *
         * @param buffers all direct, at most {@link #ROWS}
         * @param out receives the digests, packed
         * @param offset where in out the first one goes
         */
        public void sha256(List<ByteBuffer> buffers, byte[] out, int offset) {
            sha256(0, buffers, out, offset);
        }

        /**
         * As {@link #sha256(List, byte[], int)}.
         *
         * @param driver index in the {@link NativeDigest#drivers()} of SHA-256
         */
        public void sha256(int driver, List<ByteBuffer> buffers, byte[] out, int offset) {
            Objects.checkIndex(driver, NativeDigest.SHA256.drivers().size());
            int n = checkedRows(buffers.size());
            Objects.checkFromIndexSize(offset, n * LENGTH, out.length);
            long row = 0;
            long digest = digests.address();
            for (ByteBuffer buffer : buffers) {
                jobs.set(ValueLayout.JAVA_LONG, row, Addresses.of(buffer));
                jobs.set(ValueLayout.JAVA_LONG, row + 8, buffer.remaining());
                jobs.set(ValueLayout.JAVA_LONG, row + 16, digest);
                row += ROW_BYTES;
                digest += LENGTH;
            }
            batch0(driver, jobs.address(), n);
            Reference.reachabilityFence(buffers);
            MemorySegment.copy(digests, ValueLayout.JAVA_BYTE, 0, out, offset, n * LENGTH);
        }

        /**
         * HMAC-SHA-256 of packed digests.
         *
         * @param midstates states after the key's inner and outer padded block, eight words each
         * @param in at most {@link #ROWS} digests from the offset on
         * @param out receives as many results at the same offset; may be in
         */
        public void hmacSha256(int[] midstates, byte[] in, byte[] out, int offset, int n) {
            checkedRows(n);
            Objects.checkFromIndexSize(offset, n * LENGTH, in.length);
            Objects.checkFromIndexSize(offset, n * LENGTH, out.length);
            Objects.checkFromIndexSize(0, 2 * STATE_WORDS, midstates.length);
            MemorySegment.copy(in, offset, digests, ValueLayout.JAVA_BYTE, 0, n * LENGTH);
            hmac0(midstates, digests.address(), n);
            MemorySegment.copy(digests, ValueLayout.JAVA_BYTE, 0, out, offset, n * LENGTH);
        }

        private static int checkedRows(int n) {
            if (n > ROWS) {
                throw new IllegalArgumentException(n + " jobs in a table of " + ROWS);
            }
            return n;
        }
    }

    private static native void batch0(int driver, long jobs, int n);

    private static native void hmac0(int[] midstates, long digests, int n);
}
