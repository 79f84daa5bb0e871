package io.dedupstore.server.http;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a connection's bytes into requests, as strictly as RFC 9112 allows.
 *
 * <p>Why not Netty's {@code HttpRequestDecoder}: it repairs what an attacker relies on being
 * repaired differently by somebody else (folded header lines, bytes before the method, bodies
 * framed twice), and signatures are computed over the target exactly as sent. Here anything that
 * two parsers could read differently is refused: bare CR or LF, folding, space before a colon, both
 * kinds of framing, a repeated or signed Content-Length, any transfer coding but one {@code
 * chunked}, HTTP/1.0 with a transfer coding, a missing or repeated Host. Chunk extensions are
 * skipped, trailing fields checked and dropped.
 *
 * <p>Pure state over a buffer: consumes from its reader index, keeps nothing of it. One thread.
 */
final class RequestParser {
    private static final int MAX_CHUNK_LINE_BYTES = 256;
    private static final int MAX_TRAILER_BYTES = 4 * 1024;
    private static final int MAX_METHOD_CHARS = 32;
    private static final int MAX_LENGTH_DIGITS = 18;
    private static final int MAX_CHUNK_SIZE_DIGITS = 15;

    /** What the bytes say next. */
    sealed interface Event {
        /** Nothing more without further bytes. */
        record NeedMore() implements Event {}

        record Head(ParsedHead head) implements Event {}

        /** The next {@code bytes} readable bytes are body; the caller must consume them all. */
        record Body(int bytes) implements Event {}

        record End() implements Event {}
    }

    /** Not proper HTTP. Nothing after it can be trusted. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;
        private final ProtocolError error;

        Malformed(ProtocolError error, String message) {
            super(message, null, false, false);
            this.error = error;
        }

        ProtocolError error() {
            return error;
        }
    }

    private enum State {
        HEAD,
        FIXED,
        CHUNK_SIZE,
        CHUNK_DATA,
        CHUNK_END,
        TRAILERS,
        END
    }

    private static final Event NEED_MORE = new Event.NeedMore();
    private static final Event END = new Event.End();

    private final HttpLimits limits;
    private State state = State.HEAD;
    private int scanned;
    private int lineStart;
    private long remaining;
    private int trailerBytes;
    private boolean emptyLineSkipped;

    RequestParser(HttpLimits limits) {
        this.limits = limits;
    }

    Event next(ByteBuf in) throws Malformed {
        while (true) {
            switch (state) {
                case HEAD -> {
                    return head(in);
                }
                case FIXED, CHUNK_DATA -> {
                    return data(in);
                }
                case CHUNK_SIZE -> {
                    if (!chunkSize(in)) {
                        return NEED_MORE;
                    }
                }
                case CHUNK_END -> {
                    if (!chunkEnd(in)) {
                        return NEED_MORE;
                    }
                }
                case TRAILERS -> {
                    if (!trailers(in)) {
                        return NEED_MORE;
                    }
                }
                case END -> {
                    state = State.HEAD;
                    return END;
                }
            }
        }
    }

    private Event data(ByteBuf in) {
        if (!in.isReadable()) {
            return NEED_MORE;
        }
        int count = (int) Math.min(remaining, in.readableBytes());
        remaining -= count;
        if (remaining == 0) {
            state = state == State.FIXED ? State.END : State.CHUNK_END;
        }
        return new Event.Body(count);
    }

    private boolean chunkSize(ByteBuf in) throws Malformed {
        String line = line(in, MAX_CHUNK_LINE_BYTES);
        if (line == null) {
            return false;
        }
        int end = 0;
        while (end < line.length() && Character.digit(line.charAt(end), 16) >= 0) {
            end++;
        }
        String extension = line.substring(end).strip();
        if (end == 0
                || end > MAX_CHUNK_SIZE_DIGITS
                || !(extension.isEmpty() || extension.startsWith(";"))
                || !HttpSyntax.isFieldValue(extension)) {
            throw malformed("malformed chunk size");
        }
        remaining = Long.parseLong(line.substring(0, end), 16);
        trailerBytes = 0;
        state = remaining == 0 ? State.TRAILERS : State.CHUNK_DATA;
        return true;
    }

    private boolean chunkEnd(ByteBuf in) throws Malformed {
        if (in.readableBytes() < 2) {
            return false;
        }
        if (in.readByte() != '\r' || in.readByte() != '\n') {
            throw malformed("chunk data is not followed by CRLF");
        }
        state = State.CHUNK_SIZE;
        return true;
    }

    private boolean trailers(ByteBuf in) throws Malformed {
        String line = line(in, limits.maxLineBytes());
        if (line == null) {
            return false;
        }
        trailerBytes += line.length() + 2;
        if (trailerBytes > MAX_TRAILER_BYTES) {
            throw new Malformed(ProtocolError.HEADERS_TOO_LARGE, "trailer section is too large");
        }
        if (line.isEmpty()) {
            state = State.END;
        } else {
            field(line);
        }
        return true;
    }

    /** A line without its CRLF, or null if it has not come whole yet. */
    private static @Nullable String line(ByteBuf in, int maxBytes) throws Malformed {
        int length = in.bytesBefore(Math.min(in.readableBytes(), maxBytes + 2), (byte) '\n');
        if (length < 0) {
            if (in.readableBytes() >= maxBytes + 2) {
                throw malformed("line of a chunked body is too long");
            }
            return null;
        }
        String line = in.readString(length + 1, StandardCharsets.ISO_8859_1);
        if (length == 0 || line.charAt(length - 1) != '\r') {
            throw malformed("line feed without carriage return");
        }
        return line.substring(0, length - 1);
    }

    private Event head(ByteBuf in) throws Malformed {
        int end = skipEmptyLine(in) ? scanHead(in) : -1;
        if (end < 0) {
            return NEED_MORE;
        }
        String text = in.readString(end, StandardCharsets.ISO_8859_1);
        scanned = 0;
        lineStart = 0;
        emptyLineSkipped = false;
        ParsedHead head = parseHead(text);
        remaining = head.contentLength();
        state = remaining < 0 ? State.CHUNK_SIZE : remaining == 0 ? State.END : State.FIXED;
        return new Event.Head(head);
    }

    /**
     * One empty line before a request is allowed: some clients end a body with one.
     *
     * @return false if more bytes are needed to know
     */
    private boolean skipEmptyLine(ByteBuf in) {
        int at = in.readerIndex();
        if (emptyLineSkipped || scanned > 0 || !in.isReadable() || in.getByte(at) != '\r') {
            return true;
        }
        if (in.readableBytes() < 2) {
            return false;
        }
        if (in.getByte(at + 1) == '\n') {
            in.skipBytes(2);
            emptyLineSkipped = true;
        }
        return true;
    }

    /**
     * Looks for the empty line that ends a head, going on where the last call stopped.
     *
     * @return the head's length, or -1
     */
    private int scanHead(ByteBuf in) throws Malformed {
        int start = in.readerIndex();
        int readable = in.readableBytes();
        while (scanned < readable) {
            byte next = in.getByte(start + scanned);
            if (next == '\n') {
                if (scanned == 0 || in.getByte(start + scanned - 1) != '\r') {
                    throw malformed("line feed without carriage return");
                }
                boolean empty = scanned - lineStart == 1;
                scanned++;
                if (empty) {
                    return scanned;
                }
                lineStart = scanned;
            } else {
                scanned++;
            }
            checkHeadSize();
        }
        return -1;
    }

    private void checkHeadSize() throws Malformed {
        if (scanned - lineStart > limits.maxLineBytes() + 2) {
            throw lineStart == 0
                    ? new Malformed(ProtocolError.TARGET_TOO_LONG, "request line is too long")
                    : new Malformed(ProtocolError.HEADERS_TOO_LARGE, "header line is too long");
        }
        if (scanned > limits.maxHeadBytes()) {
            throw new Malformed(ProtocolError.HEADERS_TOO_LARGE, "header section is too large");
        }
    }

    private ParsedHead parseHead(String text) throws Malformed {
        int lineEnd = text.indexOf("\r\n");
        String requestLine = text.substring(0, lineEnd);
        int firstSpace = requestLine.indexOf(' ');
        int lastSpace = requestLine.lastIndexOf(' ');
        if (firstSpace <= 0 || lastSpace == firstSpace) {
            throw malformed("malformed request line");
        }
        String method = requestLine.substring(0, firstSpace);
        String target = requestLine.substring(firstSpace + 1, lastSpace);
        if (method.length() > MAX_METHOD_CHARS || !HttpSyntax.isToken(method)) {
            throw malformed("malformed method");
        }
        boolean asterisk = target.equals("*") && method.equals("OPTIONS");
        if (!asterisk && (!target.startsWith("/") || !HttpSyntax.isTarget(target))) {
            throw malformed("malformed request target");
        }
        int minor = minorVersion(requestLine.substring(lastSpace + 1));
        List<Map.Entry<String, String>> fields = new ArrayList<>();
        for (int at = lineEnd + 2; at < text.length() - 2; at = lineEnd + 2) {
            lineEnd = text.indexOf("\r\n", at);
            if (fields.size() == limits.maxHeaders()) {
                throw new Malformed(ProtocolError.HEADERS_TOO_LARGE, "too many header fields");
            }
            fields.add(field(text.substring(at, lineEnd)));
        }
        RequestHeaders headers = RequestHeaders.of(fields);
        requireHost(headers, minor);
        return new ParsedHead(method, target, minor, headers, contentLength(headers, minor));
    }

    private static int minorVersion(String version) throws Malformed {
        return switch (version) {
            case "HTTP/1.1" -> 1;
            case "HTTP/1.0" -> 0;
            default -> {
                if (version.matches("HTTP/[0-9]\\.[0-9]")) {
                    throw new Malformed(
                            ProtocolError.UNSUPPORTED_VERSION, "only HTTP/1.1 is supported");
                }
                throw malformed("malformed request line");
            }
        };
    }

    private static Map.Entry<String, String> field(String line) throws Malformed {
        int colon = line.indexOf(':');
        if (colon <= 0 || !HttpSyntax.isToken(line.substring(0, colon))) {
            throw malformed("malformed header field name");
        }
        String value = trim(line.substring(colon + 1));
        if (!HttpSyntax.isFieldValue(value)) {
            throw malformed("control character in a header field");
        }
        return Map.entry(line.substring(0, colon).toLowerCase(Locale.ROOT), value);
    }

    private static String trim(String value) {
        int start = 0;
        int end = value.length();
        while (start < end && isBlank(value.charAt(start))) {
            start++;
        }
        while (end > start && isBlank(value.charAt(end - 1))) {
            end--;
        }
        return value.substring(start, end);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    private static void requireHost(RequestHeaders headers, int minor) throws Malformed {
        int hosts = headers.all("host").size();
        if (hosts > 1 || (hosts == 0 && minor == 1)) {
            throw malformed("exactly one Host header is required");
        }
    }

    /** Body length by the headers; -1 for a chunked body. */
    private static long contentLength(RequestHeaders headers, int minor) throws Malformed {
        List<String> lengths = headers.all("content-length");
        List<String> codings = headers.all("transfer-encoding");
        if (!codings.isEmpty()) {
            if (!lengths.isEmpty()) {
                throw malformed("both Content-Length and Transfer-Encoding");
            }
            if (minor == 0
                    || codings.size() > 1
                    || !codings.getFirst().equalsIgnoreCase("chunked")) {
                throw malformed("unsupported Transfer-Encoding");
            }
            return -1;
        }
        if (lengths.isEmpty()) {
            return 0;
        }
        String length = lengths.getFirst();
        if (lengths.size() > 1
                || length.length() > MAX_LENGTH_DIGITS
                || !HttpSyntax.isDigits(length)) {
            throw malformed("malformed Content-Length");
        }
        return Long.parseLong(length);
    }

    private static Malformed malformed(String message) {
        return new Malformed(ProtocolError.MALFORMED, message);
    }
}
