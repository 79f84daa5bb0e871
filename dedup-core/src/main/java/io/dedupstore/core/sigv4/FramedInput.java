package io.dedupstore.core.sigv4;

import io.dedupstore.core.io.ByteSource;
import io.dedupstore.core.sigv4.SigV4Exception.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads lines and payload bytes from a source. Lines go through a small buffer; payload goes
 * straight into the caller's buffer once the small one is empty.
 */
final class FramedInput {
    private static final int BUFFER_BYTES = 8 * 1024;
    private static final int DIRECT_READ_MIN_BYTES = 1024;

    private final ByteSource source;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).flip();

    FramedInput(ByteSource source) {
        this.source = source;
    }

    /**
     * Reads up to the next line feed.
     *
     * @return the line without its line feed, a carriage return before it kept
     * @throws SigV4Exception if it is longer than {@code maxBytes} or the source ends first
     */
    String line(int maxBytes) throws IOException {
        byte[] line = new byte[maxBytes];
        for (int length = 0; length < maxBytes; length++) {
            byte next = next();
            if (next == '\n') {
                return new String(line, 0, length, StandardCharsets.ISO_8859_1);
            }
            line[length] = next;
        }
        throw malformed("a line of the chunked payload is longer than " + maxBytes + " bytes");
    }

    void expectLineEnd() throws IOException {
        if (next() != '\r' || next() != '\n') {
            throw malformed("chunk data is not followed by CRLF");
        }
    }

    /**
     * Moves up to {@code maxBytes} payload bytes into {@code dst}, waiting for at least one.
     *
     * @return how many
     */
    int payload(ByteBuffer dst, int maxBytes) throws IOException {
        int wanted = Math.min(maxBytes, dst.remaining());
        if (!buffer.hasRemaining() && wanted < DIRECT_READ_MIN_BYTES) {
            refill();
        }
        int savedLimit = dst.limit();
        if (buffer.hasRemaining()) {
            int count = Math.min(wanted, buffer.remaining());
            dst.put(buffer.slice(buffer.position(), count));
            buffer.position(buffer.position() + count);
            return count;
        }
        dst.limit(dst.position() + wanted);
        try {
            int count = source.read(dst);
            if (count < 0) {
                throw incomplete();
            }
            return count;
        } finally {
            dst.limit(savedLimit);
        }
    }

    boolean atEnd() throws IOException {
        if (buffer.hasRemaining()) {
            return false;
        }
        buffer.clear();
        int count = source.read(buffer);
        buffer.flip();
        return count < 0;
    }

    private byte next() throws IOException {
        if (!buffer.hasRemaining()) {
            refill();
        }
        return buffer.get();
    }

    private void refill() throws IOException {
        if (atEnd()) {
            throw incomplete();
        }
    }

    static SigV4Exception incomplete() {
        return new SigV4Exception(
                Reason.INCOMPLETE_BODY,
                "You did not provide the number of bytes specified by the Content-Length HTTP"
                        + " header");
    }

    static SigV4Exception malformed(String detail) {
        return new SigV4Exception(
                Reason.MALFORMED_CHUNK, "The request body terminated unexpectedly: " + detail);
    }
}
