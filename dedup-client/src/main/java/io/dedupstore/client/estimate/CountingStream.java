package io.dedupstore.client.estimate;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.IntConsumer;

/** Tells how much was read. */
final class CountingStream extends FilterInputStream {
    private final IntConsumer counter;

    CountingStream(InputStream in, IntConsumer counter) {
        super(in);
        this.counter = counter;
    }

    @Override
    public int read() throws IOException {
        int b = super.read();
        counter.accept(b < 0 ? 0 : 1);
        return b;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int count = super.read(bytes, offset, length);
        counter.accept(Math.max(0, count));
        return count;
    }
}
