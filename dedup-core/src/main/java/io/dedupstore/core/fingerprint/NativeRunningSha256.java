package io.dedupstore.core.fingerprint;

import io.dedupstore.core.jni.NativeSha256;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** One stream through the native single-buffer kernel, without copies from direct buffers. */
final class NativeRunningSha256 implements RunningDigest {
    private static final int BLOCK = NativeSha256.BLOCK;

    private int[] state = Sha256State.initial();
    private long length;

    /** The first {@code length % BLOCK} bytes wait to become a block. */
    private final byte[] partial = new byte[BLOCK];

    @Override
    public void update(ByteBuffer bytes) {
        fillPartial(bytes);
        int blocks = bytes.remaining() / BLOCK;
        if (blocks > 0) {
            if (bytes.isDirect()) {
                NativeSha256.blocks(state, bytes, blocks);
                bytes.position(bytes.position() + blocks * BLOCK);
            } else {
                heapBlocks(bytes, blocks);
            }
            length += (long) blocks * BLOCK;
        }
        int rest = bytes.remaining();
        bytes.get(partial, (int) (length % BLOCK), rest);
        length += rest;
    }

    private void fillPartial(ByteBuffer bytes) {
        int waiting = (int) (length % BLOCK);
        if (waiting == 0) {
            return;
        }
        int taken = Math.min(BLOCK - waiting, bytes.remaining());
        bytes.get(partial, waiting, taken);
        length += taken;
        if (waiting + taken == BLOCK) {
            NativeSha256.blocks(state, partial, 0, 1);
        }
    }

    private void heapBlocks(ByteBuffer bytes, int blocks) {
        if (bytes.hasArray()) {
            int offset = bytes.arrayOffset() + bytes.position();
            NativeSha256.blocks(state, bytes.array(), offset, blocks);
            bytes.position(bytes.position() + blocks * BLOCK);
            return;
        }
        byte[] copy = new byte[blocks * BLOCK];
        bytes.get(copy);
        NativeSha256.blocks(state, copy, 0, blocks);
    }

    @Override
    public byte[] digest() {
        int waiting = (int) (length % BLOCK);
        byte[] end = Arrays.copyOf(partial, waiting + 9 > BLOCK ? 2 * BLOCK : BLOCK);
        Arrays.fill(end, waiting, end.length, (byte) 0);
        end[waiting] = (byte) 0x80;
        ByteBuffer.wrap(end).putLong(end.length - Long.BYTES, length * Byte.SIZE);
        NativeSha256.blocks(state, end, 0, end.length / BLOCK);
        byte[] digest = Sha256State.digest(state);
        state = Sha256State.initial();
        length = 0;
        return digest;
    }

    @Override
    public DigestAlgorithm algorithm() {
        return DigestAlgorithm.SHA256;
    }
}
