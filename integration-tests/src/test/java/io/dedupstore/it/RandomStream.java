package io.dedupstore.it;

import java.io.InputStream;
import java.util.Objects;
import java.util.Random;

/** The bytes of {@link TestFiles#bytes} without holding them. */
final class RandomStream extends InputStream {
    private final Random random;
    private long left;
    private int word;
    private int wordBytes;

    RandomStream(long seed, long length) {
        this.random = new Random(seed);
        this.left = length;
    }

    @Override
    public int read() {
        if (left == 0) {
            return -1;
        }
        left--;
        // The order in which Random.nextBytes gives its bytes.
        if (wordBytes == 0) {
            word = random.nextInt();
            wordBytes = Integer.BYTES;
        }
        int next = word & 0xff;
        word >>= Byte.SIZE;
        wordBytes--;
        return next;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (left == 0) {
            return -1;
        }
        int count = (int) Math.min(length, left);
        for (int i = 0; i < count; i++) {
            target[offset + i] = (byte) read();
        }
        return count;
    }
}
