package io.dedupstore.core.jni;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/**
 * Running hashes in blocks of 64 bytes, one stream or many at once. A state is eight words, of
 * which MD5 uses the first four; what goes around the blocks is the caller's.
 */
public enum NativeDigest {
    SHA256,
    MD5;

    public static final int BLOCK = 64;
    public static final int STATE_WORDS = 8;

    private static final int STATE_BYTES = STATE_WORDS * Integer.BYTES;

    private final DriverNames drivers = DriverNames.of(() -> drivers0(ordinal()));

    /**
     * What this processor can run. The first one is composed of the kernels that are best for each
     * number of streams, and used by default; each other one is a single kernel, whatever the
     * number, with plain C last.
     */
    public List<String> drivers() {
        return drivers.names();
    }

    /** A persistent table of streams, for one thread at a time. */
    public static final class Table {
        /** As many as the widest kernel has lanes. */
        public static final int ROWS = 32;

        private static final long ROW_BYTES = 24;

        private final MemorySegment jobs = Arena.ofAuto().allocate(ROWS * ROW_BYTES, Long.BYTES);
        private final MemorySegment states =
                Arena.ofAuto().allocate((long) ROWS * STATE_BYTES, BLOCK);

        /**
         * Runs the first blocks of each buffer, from its position on, through its state.
         *
         * @param states of eight words, updated in place
         * @param buffers direct; positions stay
         * @param blocks how many of each
         */
        public void update(
                NativeDigest algorithm,
                List<int[]> states,
                List<ByteBuffer> buffers,
                int[] blocks) {
            update(algorithm, 0, states, buffers, blocks);
        }

        /**
         * As {@link #update(NativeDigest, List, List, int[])}.
         *
         * @param driver index in {@link NativeDigest#drivers()}
         */
        public void update(
                NativeDigest algorithm,
                int driver,
                List<int[]> states,
                List<ByteBuffer> buffers,
                int[] blocks) {
            algorithm.drivers.checked(driver);
            int n = states.size();
            if (n > ROWS || buffers.size() != n || blocks.length < n) {
                throw new IllegalArgumentException(n + " streams in a table of " + ROWS);
            }
            for (int i = 0; i < n; i++) {
                ByteBuffer buffer = buffers.get(i);
                checkBlocks(states.get(i), blocks[i], buffer.remaining());
                long row = i * ROW_BYTES;
                long state = (long) i * STATE_BYTES;
                jobs.set(ValueLayout.JAVA_LONG, row, Addresses.of(buffer));
                jobs.set(ValueLayout.JAVA_LONG, row + 8, blocks[i]);
                jobs.set(ValueLayout.JAVA_LONG, row + 16, this.states.address() + state);
                MemorySegment.copy(
                        states.get(i), 0, this.states, ValueLayout.JAVA_INT, state, STATE_WORDS);
            }
            updates0(algorithm.ordinal(), driver, jobs.address(), n);
            Reference.reachabilityFence(buffers);
            for (int i = 0; i < n; i++) {
                long state = (long) i * STATE_BYTES;
                MemorySegment.copy(
                        this.states, ValueLayout.JAVA_INT, state, states.get(i), 0, STATE_WORDS);
            }
        }
    }

    /**
     * Runs whole blocks through a state.
     *
     * @param data direct; its first blocks from the position on are read, the position stays
     */
    public void blocks(int[] state, ByteBuffer data, int blocks) {
        checkBlocks(state, blocks, data.remaining());
        blocks0(ordinal(), state, Addresses.of(data), blocks);
        Reference.reachabilityFence(data);
    }

    /** As {@link #blocks(int[], ByteBuffer, int)} for an array; bytes are copied in small steps. */
    public void blocks(int[] state, byte[] data, int offset, int blocks) {
        Objects.checkIndex(offset, data.length + 1);
        checkBlocks(state, blocks, data.length - offset);
        heapBlocks0(ordinal(), state, data, offset, blocks);
    }

    private static void checkBlocks(int[] state, int blocks, int available) {
        Objects.checkFromIndexSize(0, STATE_WORDS, state.length);
        Objects.checkFromIndexSize(0, blocks, available / BLOCK);
    }

    private static native void blocks0(int algorithm, int[] state, long data, long blocks);

    private static native void heapBlocks0(
            int algorithm, int[] state, byte[] data, int offset, int blocks);

    private static native String drivers0(int algorithm);

    private static native void updates0(int algorithm, int driver, long jobs, int n);
}
