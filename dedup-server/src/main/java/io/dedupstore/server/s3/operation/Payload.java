package io.dedupstore.server.s3.operation;

import io.dedupstore.core.io.ByteSource;
import io.dedupstore.server.auth.BodySource;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The body of an upload, held to the size limit. It proves genuine only at its end, so nothing may
 * be committed before {@link #finish} has returned.
 */
final class Payload implements ByteSource {
    /** Of a PUT or a part. */
    static final long MAX_BYTES = 5L << 30;

    private final BodySource source;
    private long count;
    private boolean ended;

    private Payload(BodySource source) {
        this.source = source;
    }

    /** Checks what the head says about the length, without touching the body. */
    static long checkLength(S3Request request) {
        if (!request.hasBodyLength()) {
            throw new S3Exception(S3Error.MISSING_CONTENT_LENGTH);
        }
        OptionalLong length = request.payloadLength();
        if (length.isPresent() && length.getAsLong() > MAX_BYTES) {
            throw tooLarge(length.getAsLong());
        }
        return length.orElse(-1);
    }

    /** The client is told to send now. */
    static Payload open(S3Request request) {
        return new Payload(request.openBody());
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return counted(source.read(target));
    }

    @Override
    public int readAhead(ByteBuffer target) throws IOException {
        return counted(source.readAhead(target));
    }

    @Override
    public void settle() {
        source.settle();
    }

    private int counted(int read) {
        if (read < 0) {
            ended = true;
        } else {
            count += read;
            if (count > MAX_BYTES) {
                throw tooLarge(count);
            }
        }
        return read;
    }

    /** Reads the end, where the proof is, in case the reader stopped in front of it. */
    void finish() throws IOException {
        if (!ended && read(ByteBuffer.allocate(1)) >= 0) {
            throw new IllegalStateException("the body was not read to its end");
        }
    }

    /** Known after {@link #finish}. */
    Map<String, String> trailers() {
        return source.trailers();
    }

    private static S3Exception tooLarge(long bytes) {
        return new S3Exception(S3Error.ENTITY_TOO_LARGE)
                .with("ProposedSize", Long.toString(bytes))
                .with("MaxSizeAllowed", Long.toString(MAX_BYTES));
    }
}
