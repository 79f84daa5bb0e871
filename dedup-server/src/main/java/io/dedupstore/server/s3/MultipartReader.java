package io.dedupstore.server.s3;

import io.dedupstore.core.io.ByteSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a multipart body (RFC 2046) into its parts while it streams by: {@link #nextPart} goes to
 * the next part and reads its headers, {@link #read} gives its content up to the boundary. Holds
 * one buffer, whatever the size of the parts. One thread.
 */
final class MultipartReader {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int MAX_HEADER_LINE_BYTES = 8 << 10;
    private static final int MAX_HEADER_LINES = 32;
    private static final int MAX_PADDING_BYTES = 256;

    /** Where the reader stands. */
    private enum State {
        /** In front of the first boundary. */
        PREAMBLE,
        /** In the content of a part. */
        CONTENT,
        /** Right behind a boundary. */
        BOUNDARY,
        /** Behind the last boundary. */
        END
    }

    private final ByteSource source;
    private final byte[] delimiter;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int from;
    private int to;
    private boolean sourceEnded;
    private long consumed;
    private State state = State.PREAMBLE;

    /**
     * @param boundary as the Content-Type names it
     */
    MultipartReader(ByteSource source, String boundary) {
        this.source = source;
        this.delimiter = UriText.latin1("\r\n--" + boundary);
        if (delimiter.length > BUFFER_BYTES / 2) {
            throw malformed();
        }
        // The boundary that begins a body has no line break before it.
        buffer[to++] = '\r';
        buffer[to++] = '\n';
    }

    /** Bytes that have been given out or skipped, headers and boundaries included. */
    long consumed() {
        return consumed;
    }

    /**
     * Skips what is left of this part.
     *
     * @param maxSkipped bytes of it; more is refused
     * @return the next part's headers, names in lower case; null at the end
     */
    @Nullable Map<String, String> nextPart(long maxSkipped) throws IOException {
        ByteBuffer sink = ByteBuffer.allocate(4 << 10);
        long skipped = 0;
        while (state == State.PREAMBLE || state == State.CONTENT) {
            int count = content(sink.clear());
            skipped += Math.max(count, 0);
            if (skipped > maxSkipped) {
                throw malformed();
            }
        }
        if (state == State.END || closes()) {
            state = State.END;
            return null;
        }
        Map<String, String> headers = new LinkedHashMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (colon <= 0 || headers.size() == MAX_HEADER_LINES) {
                throw malformed();
            }
            headers.put(
                    line.substring(0, colon).strip().toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        state = State.CONTENT;
        return headers;
    }

    /**
     * Content of the part; -1 at its end, and at every later call until {@link #nextPart}.
     *
     * @throws S3Exception MalformedPOSTRequest
     */
    int read(ByteBuffer target) throws IOException {
        return state == State.CONTENT ? content(target) : -1;
    }

    /** Reads and drops what follows the last boundary, so that the source proves to be genuine. */
    void finish(long maxSkipped) throws IOException {
        long skipped = 0;
        while (to > from || fill()) {
            skipped += to - from;
            consume(to - from);
            if (skipped > maxSkipped) {
                throw malformed();
            }
        }
    }

    private int content(ByteBuffer target) throws IOException {
        while (true) {
            int at = find();
            int safe = at >= 0 ? at - from : Math.max(0, to - from - (delimiter.length - 1));
            if (safe > 0) {
                int count = Math.min(safe, target.remaining());
                target.put(buffer, from, count);
                consume(count);
                return count;
            }
            if (at >= 0) {
                consume(delimiter.length);
                state = State.BOUNDARY;
                return -1;
            }
            if (!fill()) {
                throw malformed();
            }
        }
    }

    /** Where the delimiter is in the buffer, or -1. */
    private int find() {
        int last = to - delimiter.length;
        for (int i = from; i <= last; i++) {
            if (buffer[i] == '\r' && matches(i)) {
                return i;
            }
        }
        return -1;
    }

    private boolean matches(int at) {
        for (int k = 1; k < delimiter.length; k++) {
            if (buffer[at + k] != delimiter[k]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Reads what stands behind a boundary to the end of its line; two dashes are the last one's.
     */
    private boolean closes() throws IOException {
        int first = next();
        int second = next();
        if (first == '-' && second == '-') {
            return true;
        }
        int padding = 0;
        while (first == ' ' || first == '\t') {
            if (++padding > MAX_PADDING_BYTES) {
                throw malformed();
            }
            first = second;
            second = next();
        }
        if (first != '\r' || second != '\n') {
            throw malformed();
        }
        return false;
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = next(); b != '\n'; b = next()) {
            if (line.size() == MAX_HEADER_LINE_BYTES) {
                throw malformed();
            }
            line.write(b);
        }
        byte[] bytes = line.toByteArray();
        int length = bytes.length;
        if (length == 0 || bytes[length - 1] != '\r') {
            throw malformed();
        }
        try {
            return UriText.strictUtf8(Arrays.copyOf(bytes, length - 1));
        } catch (IllegalArgumentException e) {
            throw malformed();
        }
    }

    private int next() throws IOException {
        if (from == to && !fill()) {
            throw malformed();
        }
        int b = buffer[from] & 0xff;
        consume(1);
        return b;
    }

    private void consume(int count) {
        from += count;
        consumed += count;
    }

    /** At least one more byte; false at the end of the source. */
    private boolean fill() throws IOException {
        if (sourceEnded) {
            return false;
        }
        System.arraycopy(buffer, from, buffer, 0, to - from);
        to -= from;
        from = 0;
        int count = source.read(ByteBuffer.wrap(buffer, to, buffer.length - to));
        if (count < 0) {
            sourceEnded = true;
            return false;
        }
        to += count;
        return true;
    }

    static S3Exception malformed() {
        return new S3Exception(S3Error.MALFORMED_POST_REQUEST);
    }
}
