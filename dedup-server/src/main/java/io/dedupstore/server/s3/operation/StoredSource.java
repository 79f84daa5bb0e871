package io.dedupstore.server.s3.operation;

import io.dedupstore.core.io.ByteSource;
import io.dedupstore.core.metadata.Body;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.object.ObjectReader;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A range of a stored body as a stream to be written elsewhere: read piece by piece, one buffer
 * held.
 */
final class StoredSource implements ByteSource {
    private static final int PIECE_BYTES = 256 << 10;

    private final ObjectReader reader;
    private final BucketId bucket;
    private final ObjectKey key;
    private final Body body;
    private final long end;
    private long position;

    /** Bytes that were read and not yet handed out. */
    private final ByteBuffer piece;

    StoredSource(ObjectReader reader, BucketId bucket, ObjectKey key, Body body, ByteRange range) {
        this.reader = reader;
        this.bucket = bucket;
        this.key = key;
        this.body = body;
        this.position = range.offset();
        this.end = range.offset() + range.length();
        this.piece = ByteBuffer.allocate((int) Math.min(PIECE_BYTES, range.length())).limit(0);
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (!piece.hasRemaining()) {
            if (position == end) {
                return -1;
            }
            fill();
        }
        int count = Math.min(target.remaining(), piece.remaining());
        target.put(target.position(), piece, piece.position(), count);
        target.position(target.position() + count);
        piece.position(piece.position() + count);
        return count;
    }

    private void fill() throws IOException {
        long length = Math.min(piece.capacity(), end - position);
        piece.clear();
        reader.read(bucket, key, body, position, length, piece::put);
        piece.flip();
        position += length;
    }
}
