package io.dedupstore.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A response head in its wire form.
 *
 * @param framing how the body's end will be known
 */
record ResponseHead(
        int status,
        ResponseHeaders headers,
        Framing framing,
        long contentLength,
        boolean close,
        int minorVersion) {
    enum Framing {
        LENGTH,
        CHUNKED,
        UNTIL_CLOSE,
        NONE
    }

    private record Stamp(long second, String text) {}

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC);
    private static volatile Stamp stamp = new Stamp(-1, "");

    static boolean allowsBody(int status) {
        return status >= 200 && status != 204 && status != 304;
    }

    ByteBuf encode(ByteBufAllocator allocator, Optional<String> server) {
        StringBuilder text = new StringBuilder(512);
        text.append("HTTP/1.1 ").append(status).append(' ');
        text.append(HttpResponseStatus.valueOf(status).reasonPhrase()).append("\r\n");
        for (Map.Entry<String, String> field : headers.entries()) {
            field(text, field.getKey(), field.getValue());
        }
        if (!headers.contains("date")) {
            field(text, "Date", date());
        }
        if (server.isPresent() && !headers.contains("server")) {
            field(text, "Server", server.get());
        }
        switch (framing) {
            case LENGTH -> field(text, "Content-Length", Long.toString(contentLength));
            case CHUNKED -> field(text, "Transfer-Encoding", "chunked");
            case UNTIL_CLOSE, NONE -> {}
        }
        if (close) {
            field(text, "Connection", "close");
        } else if (minorVersion == 0) {
            field(text, "Connection", "keep-alive");
        }
        text.append("\r\n");
        ByteBuf out = allocator.directBuffer(text.length());
        out.writeCharSequence(text, StandardCharsets.ISO_8859_1);
        return out;
    }

    private static void field(StringBuilder text, String name, String value) {
        text.append(name).append(": ").append(value).append("\r\n");
    }

    private static String date() {
        Instant now = Instant.now();
        Stamp last = stamp;
        if (last.second() != now.getEpochSecond()) {
            last = new Stamp(now.getEpochSecond(), DATE.format(now));
            stamp = last;
        }
        return last.text();
    }
}
