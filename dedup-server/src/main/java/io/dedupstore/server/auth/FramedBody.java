package io.dedupstore.server.auth;

import io.dedupstore.core.sigv4.ChunkedBodyDecoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.OptionalLong;

/** A payload that comes in {@code aws-chunked} framing. */
record FramedBody(ChunkedBodyDecoder decoder, OptionalLong declaredLength) implements BodySource {
    @Override
    public int read(ByteBuffer dst) throws IOException {
        return decoder.read(dst);
    }

    @Override
    public Map<String, String> trailers() {
        return decoder.trailers();
    }
}
