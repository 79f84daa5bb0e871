package io.dedupstore.bench.workload;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/** An object's bytes, one after the other. */
final class ObjectStream extends InputStream {
    private final WorkloadObject object;
    private long position;

    ObjectStream(WorkloadObject object, long position) {
        Objects.checkIndex(position, object.length() + 1);
        this.object = object;
        this.position = position;
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        int some = (int) Math.min(length, object.length() - position);
        if (some == 0) {
            return -1;
        }
        object.fill(position, ByteBuffer.wrap(target, offset, some));
        position += some;
        return some;
    }

    @Override
    public long skip(long bytes) {
        long some = Math.clamp(bytes, 0, object.length() - position);
        position += some;
        return some;
    }

    @Override
    public int available() {
        return (int) Math.min(Integer.MAX_VALUE, object.length() - position);
    }
}
