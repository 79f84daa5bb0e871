package io.dedupstore.core.parity;

import io.dedupstore.core.jni.NativeParity;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;

/** Matrices times fragments, which have been checked; all kernels give the same bytes. */
sealed interface ParityKernel {

    /** The Java twin. */
    ParityKernel JAVA = new Twin();

    String name();

    /** Each output becomes the sum of all inputs times their coefficients in the output's row. */
    void multiply(byte[] matrix, List<ByteBuffer> inputs, List<ByteBuffer> outputs);

    /** Adds an input, times each output's coefficient, to the outputs. */
    void add(byte[] column, ByteBuffer input, List<ByteBuffer> outputs);

    /** Makes outputs that were computed from one input those computed from another. */
    void update(byte[] column, ByteBuffer before, ByteBuffer after, List<ByteBuffer> outputs);

    /** The fastest first, the twin last. */
    static List<ParityKernel> all() {
        List<String> drivers = NativeParity.drivers();
        return Stream.concat(
                        Stream.iterate(0, i -> i < drivers.size(), i -> i + 1)
                                .map(i -> (ParityKernel) new Isal(i, drivers.get(i))),
                        Stream.of(JAVA))
                .toList();
    }

    /** Direct buffers by ISA-L; calls with any other are left to the twin. */
    record Isal(int driver, String name) implements ParityKernel {

        @Override
        public void multiply(byte[] matrix, List<ByteBuffer> inputs, List<ByteBuffer> outputs) {
            if (direct(inputs) && direct(outputs)) {
                NativeParity.multiply(driver, matrix, inputs, outputs);
            } else {
                JAVA.multiply(matrix, inputs, outputs);
            }
        }

        @Override
        public void add(byte[] column, ByteBuffer input, List<ByteBuffer> outputs) {
            if (input.isDirect() && direct(outputs)) {
                NativeParity.add(driver, column, input, outputs);
            } else {
                JAVA.add(column, input, outputs);
            }
        }

        @Override
        public void update(
                byte[] column, ByteBuffer before, ByteBuffer after, List<ByteBuffer> outputs) {
            if (before.isDirect() && after.isDirect() && direct(outputs)) {
                NativeParity.update(driver, column, before, after, outputs);
            } else {
                JAVA.update(column, before, after, outputs);
            }
        }

        private static boolean direct(List<ByteBuffer> fragments) {
            return fragments.stream().allMatch(ByteBuffer::isDirect);
        }
    }

    /** In Java, through {@link ByteLanes}. */
    record Twin() implements ParityKernel {

        @Override
        public String name() {
            return "java";
        }

        @Override
        public void multiply(byte[] matrix, List<ByteBuffer> inputs, List<ByteBuffer> outputs) {
            ByteLanes lanes = new ByteLanes(inputs, outputs);
            for (long at = 0; at < lanes.length(); at += ByteLanes.TILE_BYTES) {
                lanes.load(at);
                for (int row = 0; row < outputs.size(); row++) {
                    lanes.multiply(matrix, row);
                    lanes.store(row, at);
                }
            }
        }

        @Override
        public void add(byte[] column, ByteBuffer input, List<ByteBuffer> outputs) {
            ByteLanes lanes = new ByteLanes(List.of(input), outputs);
            for (long at = 0; at < lanes.length(); at += ByteLanes.TILE_BYTES) {
                lanes.load(at);
                addRows(lanes, column, outputs.size(), at);
            }
        }

        @Override
        public void update(
                byte[] column, ByteBuffer before, ByteBuffer after, List<ByteBuffer> outputs) {
            ByteLanes lanes = new ByteLanes(List.of(after, before), outputs);
            for (long at = 0; at < lanes.length(); at += ByteLanes.TILE_BYTES) {
                lanes.load(at);
                lanes.addSecondToFirst();
                addRows(lanes, column, outputs.size(), at);
            }
        }

        private static void addRows(ByteLanes lanes, byte[] column, int rows, long at) {
            for (int row = 0; row < rows; row++) {
                lanes.multiplyFirst(column[row]);
                lanes.storeAdded(row, at);
            }
        }
    }
}
