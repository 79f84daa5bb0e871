package io.dedupstore.core.parity;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Arithmetic in GF(2^8) on eight bytes of a long at once, in tiles that stay in the first cache, by
 * loops that the JIT compiler turns into vectors. A product is computed by Horner's rule over the
 * bits of the coefficients: double the sum, add the inputs whose coefficient has the bit.
 *
 * <p>For one call and thread. Which byte of a long is the first does not matter; what is left in a
 * tile behind the end of the fragments is computed but not stored.
 */
final class ByteLanes {
    static final int TILE_BYTES = 4 << 10;

    private static final long LOW_BITS = 0x7f7f7f7f7f7f7f7fL;
    private static final long POLYNOMIAL = (GaloisField.POLYNOMIAL & 0xff) * (~LOW_BITS >>> 7);

    private final List<MemorySegment> inputs;
    private final List<MemorySegment> outputs;
    private final long length;
    private final long[][] tiles;
    private final long[] sum;
    private final long[] old;

    ByteLanes(List<ByteBuffer> inputs, List<ByteBuffer> outputs) {
        this.inputs = inputs.stream().map(MemorySegment::ofBuffer).toList();
        this.outputs = outputs.stream().map(MemorySegment::ofBuffer).toList();
        length = outputs.getFirst().remaining();
        int longs = (int) (Math.min(length, TILE_BYTES) + Long.BYTES - 1) / Long.BYTES;
        tiles = new long[inputs.size()][longs];
        sum = new long[longs];
        old = new long[longs];
    }

    long length() {
        return length;
    }

    void load(long at) {
        for (int i = 0; i < tiles.length; i++) {
            copy(inputs.get(i), at, tiles[i]);
        }
    }

    /** The sum becomes that of all inputs times their coefficients in a row. */
    void multiply(byte[] matrix, int row) {
        clear(sum);
        for (int bit = Byte.SIZE - 1; bit >= 0; bit--) {
            twice(sum);
            for (int i = 0; i < tiles.length; i++) {
                if ((matrix[row * tiles.length + i] >>> bit & 1) != 0) {
                    add(sum, tiles[i]);
                }
            }
        }
    }

    void multiplyFirst(byte coefficient) {
        clear(sum);
        for (int bit = Byte.SIZE - 1; bit >= 0; bit--) {
            twice(sum);
            if ((coefficient >>> bit & 1) != 0) {
                add(sum, tiles[0]);
            }
        }
    }

    void addSecondToFirst() {
        add(tiles[0], tiles[1]);
    }

    /** The output becomes the sum. */
    void store(int output, long at) {
        long bytes = Math.min(TILE_BYTES, length - at);
        MemorySegment.copy(MemorySegment.ofArray(sum), 0, outputs.get(output), at, bytes);
    }

    /** The output becomes itself and the sum. */
    void storeAdded(int output, long at) {
        copy(outputs.get(output), at, old);
        add(sum, old);
        store(output, at);
    }

    private void copy(MemorySegment from, long at, long[] tile) {
        long bytes = Math.min(TILE_BYTES, length - at);
        MemorySegment.copy(from, at, MemorySegment.ofArray(tile), 0, bytes);
    }

    private static void clear(long[] sum) {
        Arrays.fill(sum, 0);
    }

    private static void add(long[] sum, long[] more) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] ^= more[i];
        }
    }

    /** A byte whose highest bit falls out takes the polynomial. */
    private static void twice(long[] sum) {
        for (int i = 0; i < sum.length; i++) {
            long high = sum[i] & ~LOW_BITS;
            sum[i] = (sum[i] & LOW_BITS) << 1 ^ (high - (high >>> 7)) & POLYNOMIAL;
        }
    }
}
