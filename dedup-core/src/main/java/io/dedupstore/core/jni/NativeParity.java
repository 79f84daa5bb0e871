package io.dedupstore.core.jni;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.List;
import java.util.stream.Stream;

/**
 * Matrices over GF(2^8), polynomial 0x11d, times fragments, by Intel ISA-L. Any number of threads;
 * nothing is kept between calls. A fragment is the bytes between position and limit of a direct
 * buffer, neither of which changes; all of a call have one length. That outputs overlap nothing is
 * the caller's to see to: they would hold other bytes than expected.
 */
public final class NativeParity {
    /** Rows and columns together, at most. */
    public static final int MAX_FRAGMENTS = 32;

    private static final DriverNames DRIVERS = DriverNames.of(NativeParity::drivers0);

    private NativeParity() {}

    /** What this processor can run, the one that ISA-L prefers first; none without ISA-L. */
    public static List<String> drivers() {
        return DRIVERS.names();
    }

    /**
     * Each output becomes the sum of all inputs times their coefficients in the output's row.
     *
     * @param driver index in {@link #drivers()}
     * @param matrix row by row, as many rows as outputs and columns as inputs
     */
    public static void multiply(
            int driver, byte[] matrix, List<ByteBuffer> inputs, List<ByteBuffer> outputs) {
        DRIVERS.checked(driver);
        int rows = outputs.size();
        int columns = inputs.size();
        if (rows < 1 || columns < 1 || rows + columns > MAX_FRAGMENTS) {
            throw new IllegalArgumentException("%d rows of %d columns".formatted(rows, columns));
        }
        int length = outputs.getFirst().remaining();
        checkLengths(inputs, length);
        checkOutputs(outputs, length);
        long[] addresses =
                Stream.concat(inputs.stream(), outputs.stream()).mapToLong(Addresses::of).toArray();
        if (length > 0) {
            checkDone(multiply0(driver, matrix, rows, columns, addresses, length));
        }
        Reference.reachabilityFence(inputs);
        Reference.reachabilityFence(outputs);
    }

    /**
     * Adds an input, times each output's coefficient, to the outputs.
     *
     * @param driver index in {@link #drivers()}
     * @param column a coefficient for each output
     */
    public static void add(int driver, byte[] column, ByteBuffer input, List<ByteBuffer> outputs) {
        update(driver, column, 0, input, outputs);
    }

    /**
     * Makes outputs that were computed from one input those computed from another.
     *
     * @param driver index in {@link #drivers()}
     * @param column a coefficient for each output
     */
    public static void update(
            int driver,
            byte[] column,
            ByteBuffer before,
            ByteBuffer after,
            List<ByteBuffer> outputs) {
        checkLengths(List.of(before), after.remaining());
        update(driver, column, Addresses.of(before), after, outputs);
        Reference.reachabilityFence(before);
    }

    private static void update(
            int driver, byte[] column, long before, ByteBuffer after, List<ByteBuffer> outputs) {
        DRIVERS.checked(driver);
        int rows = outputs.size();
        if (rows < 1 || rows >= MAX_FRAGMENTS) {
            throw new IllegalArgumentException(rows + " rows");
        }
        checkOutputs(outputs, after.remaining());
        long[] addresses = outputs.stream().mapToLong(Addresses::of).toArray();
        long from = Addresses.of(after);
        if (after.hasRemaining()) {
            checkDone(update0(driver, column, rows, before, from, addresses, after.remaining()));
        }
        Reference.reachabilityFence(after);
        Reference.reachabilityFence(outputs);
    }

    private static void checkLengths(List<ByteBuffer> fragments, int length) {
        for (ByteBuffer fragment : fragments) {
            if (fragment.remaining() != length) {
                throw new IllegalArgumentException(
                        "fragments of %d and %d bytes".formatted(length, fragment.remaining()));
            }
        }
    }

    private static void checkOutputs(List<ByteBuffer> outputs, int length) {
        checkLengths(outputs, length);
        if (outputs.stream().anyMatch(ByteBuffer::isReadOnly)) {
            throw new ReadOnlyBufferException();
        }
    }

    private static void checkDone(boolean done) {
        if (!done) {
            throw new IllegalArgumentException("not as many coefficients as the matrix has");
        }
    }

    private static native String drivers0();

    private static native boolean multiply0(
            int driver, byte[] matrix, int rows, int columns, long[] addresses, int length);

    private static native boolean update0(
            int driver,
            byte[] column,
            int rows,
            long before,
            long after,
            long[] addresses,
            int length);
}
