package io.dedupstore.core.fingerprint;

import io.dedupstore.core.jni.NativeDigest;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * One stream through the native kernels, without copies from direct buffers. {@link StreamLanes}
 * takes the blocks in the middle of an update out of it, to run them beside those of other streams.
 */
final class NativeRunningDigest extends RunningDigest {
    private static final int BLOCK = NativeDigest.BLOCK;

    private final BlockHash hash;
    private int[] state;
    private long length;

    /** The first {@code length % BLOCK} bytes wait to become a block. */
    private final byte[] partial = new byte[BLOCK];

    NativeRunningDigest(BlockHash hash) {
        this.hash = hash;
        this.state = hash.initial();
    }

    BlockHash hash() {
        return hash;
    }

    int[] state() {
        return state;
    }

    @Override
    void update(ByteBuffer bytes) {
        int blocks = open(bytes);
        if (blocks > 0) {
            if (bytes.isDirect()) {
                hash.kernel().blocks(state, bytes, blocks);
            } else {
                heapBlocks(bytes, blocks);
            }
        }
        advance(bytes, blocks);
    }

    /** Completes a waiting block, and says how many whole ones follow in bytes. */
    int open(ByteBuffer bytes) {
        int waiting = (int) (length % BLOCK);
        if (waiting > 0) {
            int taken = Math.min(BLOCK - waiting, bytes.remaining());
            bytes.get(partial, waiting, taken);
            length += taken;
            if (waiting + taken == BLOCK) {
                hash.kernel().blocks(state, partial, 0, 1);
            }
        }
        return bytes.remaining() / BLOCK;
    }

    /** These blocks have been run; what is left of the last one waits for more. */
    void advance(ByteBuffer bytes, int blocks) {
        bytes.position(bytes.position() + blocks * BLOCK);
        length += (long) blocks * BLOCK;
        int rest = bytes.remaining();
        if (rest < BLOCK) {
            bytes.get(partial, (int) (length % BLOCK), rest);
            length += rest;
        }
    }

    private void heapBlocks(ByteBuffer bytes, int blocks) {
        if (bytes.hasArray()) {
            int offset = bytes.arrayOffset() + bytes.position();
            hash.kernel().blocks(state, bytes.array(), offset, blocks);
            return;
        }
        byte[] copy = new byte[blocks * BLOCK];
        bytes.get(bytes.position(), copy);
        hash.kernel().blocks(state, copy, 0, blocks);
    }

    @Override
    public byte[] digest() {
        int waiting = (int) (length % BLOCK);
        byte[] end = Arrays.copyOf(partial, waiting + 9 > BLOCK ? 2 * BLOCK : BLOCK);
        Arrays.fill(end, waiting, end.length, (byte) 0);
        end[waiting] = (byte) 0x80;
        ByteBuffer.wrap(end)
                .order(hash.order())
                .putLong(end.length - Long.BYTES, length * Byte.SIZE);
        hash.kernel().blocks(state, end, 0, end.length / BLOCK);
        byte[] digest = hash.digest(state);
        state = hash.initial();
        length = 0;
        return digest;
    }

    @Override
    public DigestAlgorithm algorithm() {
        return hash.algorithm();
    }
}
