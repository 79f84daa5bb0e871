package io.dedupstore.server.auth;

import io.dedupstore.core.io.ByteSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.OptionalLong;

/** A payload that the client did not sign. Its length is the connection's to hold the client to. */
final class PlainBody implements BodySource {
    private final ByteSource source;
    private final OptionalLong length;
    private boolean finished;

    PlainBody(ByteSource source, OptionalLong length) {
        this.source = source;
        this.length = length;
    }

    @Override
    public OptionalLong declaredLength() {
        return length;
    }

    @Override
    public int read(ByteBuffer dst) throws IOException {
        if (finished) {
            return -1;
        }
        int total = 0;
        while (dst.hasRemaining()) {
            int count = source.read(dst);
            if (count < 0) {
                finished = true;
                break;
            }
            total += count;
        }
        return total == 0 && finished ? -1 : total;
    }

    @Override
    public Map<String, String> trailers() {
        if (!finished) {
            throw new IllegalStateException("trailers are known at the end of the payload only");
        }
        return Map.of();
    }
}
