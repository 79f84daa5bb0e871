package io.dedupstore.server.s3;

import io.dedupstore.server.auth.BodySource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.OptionalLong;

/** The file of a form, held to the length its policy allows. */
final class FormBody implements BodySource {
    /** What may follow the file, which is read and dropped. */
    private static final long MAX_BEHIND_BYTES = 1 << 20;

    private final MultipartReader reader;
    private final long minBytes;
    private final long maxBytes;
    private long count;
    private boolean ended;

    FormBody(MultipartReader reader, long minBytes, long maxBytes) {
        this.reader = reader;
        this.minBytes = minBytes;
        this.maxBytes = maxBytes;
    }

    @Override
    public OptionalLong declaredLength() {
        return OptionalLong.empty();
    }

    @Override
    public int read(ByteBuffer dst) throws IOException {
        if (ended) {
            return -1;
        }
        int start = dst.position();
        while (dst.hasRemaining()) {
            int read = reader.read(dst);
            if (read < 0) {
                end();
                break;
            }
            count += read;
            if (count > maxBytes) {
                throw new S3Exception(S3Error.ENTITY_TOO_LARGE)
                        .with("ProposedSize", Long.toString(count))
                        .with("MaxSizeAllowed", Long.toString(maxBytes));
            }
        }
        int filled = dst.position() - start;
        return filled == 0 && ended ? -1 : filled;
    }

    private void end() throws IOException {
        ended = true;
        if (count < minBytes) {
            throw new S3Exception(S3Error.ENTITY_TOO_SMALL)
                    .with("ProposedSize", Long.toString(count))
                    .with("MinSizeAllowed", Long.toString(minBytes));
        }
        reader.finish(MAX_BEHIND_BYTES);
    }

    @Override
    public Map<String, String> trailers() {
        return Map.of();
    }
}
