package io.dedupstore.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestParserTest {
    private static final String HOST = "Host: h\r\n";

    private record Request(ParsedHead head, String body) {}

    private static List<Request> parse(String wire, int step) throws RequestParser.Malformed {
        RequestParser parser = new RequestParser(HttpLimits.defaults());
        byte[] bytes = wire.getBytes(StandardCharsets.ISO_8859_1);
        ByteBuf in = Unpooled.buffer();
        List<Request> requests = new ArrayList<>();
        ParsedHead head = null;
        StringBuilder body = new StringBuilder();
        for (int at = 0; at < bytes.length; at += step) {
            in.writeBytes(bytes, at, Math.min(step, bytes.length - at));
            boolean more = true;
            while (more) {
                switch (parser.next(in)) {
                    case RequestParser.Event.NeedMore none -> more = false;
                    case RequestParser.Event.Head parsed -> head = parsed.head();
                    case RequestParser.Event.Body piece ->
                            body.append(in.readString(piece.bytes(), StandardCharsets.ISO_8859_1));
                    case RequestParser.Event.End end -> {
                        requests.add(new Request(head, body.toString()));
                        body.setLength(0);
                    }
                }
            }
            in.discardReadBytes();
        }
        return requests;
    }

    private static void refused(String wire, ProtocolError error) {
        for (int step : new int[] {1, 7, 1 << 20}) {
            assertThatThrownBy(() -> parse(wire, step))
                    .isInstanceOfSatisfying(
                            RequestParser.Malformed.class,
                            e -> assertThat(e.error()).isEqualTo(error));
        }
    }

    @Test
    void readsRequestsHoweverTheyAreSplit() throws Exception {
        String wire =
                "PUT /b/%2f//k?x=%20+\u00e9 HTTP/1.1\r\nHost: h:9000\r\nContent-Length: 5\r\n"
                        + "X-A:  one \t\r\nx-a: two\r\nX-Empty:\r\n\r\nhello"
                        + "\r\nGET / HTTP/1.0\r\n\r\n"
                        + "POST /p HTTP/1.1\r\n"
                        + HOST
                        + "Transfer-Encoding: Chunked\r\n\r\n"
                        + "5;a=b\r\nhello\r\n00C\r\n, and world!\r\n"
                        + "0\r\nX-T: v\r\n\r\n"
                        + "OPTIONS * HTTP/1.1\r\n"
                        + HOST
                        + "\r\n";
        for (int step = 1; step < wire.length(); step++) {
            List<Request> requests = parse(wire, step);
            assertThat(requests).hasSize(4);
            ParsedHead put = requests.getFirst().head();
            assertThat(put.target()).isEqualTo("/b/%2f//k?x=%20+\u00e9");
            assertThat(put.headers().entries())
                    .containsExactly(
                            Map.entry("host", "h:9000"),
                            Map.entry("content-length", "5"),
                            Map.entry("x-a", "one"),
                            Map.entry("x-a", "two"),
                            Map.entry("x-empty", ""));
            assertThat(requests.getFirst().body()).isEqualTo("hello");
            assertThat(requests.get(1).head().keepAlive()).isFalse();
            assertThat(requests.get(2).head().contentLength()).isEqualTo(-1);
            assertThat(requests.get(2).body()).isEqualTo("hello, and world!");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Both framings, and framings that parsers read differently.
                "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
                "Content-Length: 5\r\nContent-Length: 5\r\n",
                "Content-Length: 5\r\nContent-Length: 6\r\n",
                "Content-Length: 5, 5\r\n",
                "Content-Length: +5\r\n",
                "Content-Length: -5\r\n",
                "Content-Length: 0x5\r\n",
                "Content-Length: 5 5\r\n",
                "Content-Length: \r\n",
                "Content-Length: 9223372036854775808\r\n",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
                "Transfer-Encoding: chunked, chunked\r\n",
                "Transfer-Encoding: gzip, chunked\r\n",
                "Transfer-Encoding: xchunked\r\n",
                "Transfer-Encoding: identity\r\n",
                "Transfer-Encoding: \u000bchunked\r\n",
                "Transfer-Encoding : chunked\r\n",
                // Lines that are not header fields.
                "X: a\r\n b\r\n",
                " X: a\r\n",
                "X\r\n",
                ": v\r\n",
                "X Y: v\r\n",
                "X: a\rb\r\n",
                "X: a\u0000b\r\n",
                "X: a\nY: b\r\n",
                "X: a\n",
                // The host.
                "Host: other\r\n"
            })
    void refusesHeadersThatCouldBeReadInTwoWays(String headers) {
        refused("POST / HTTP/1.1\r\n" + HOST + headers + "\r\n", ProtocolError.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET  / HTTP/1.1",
                "GET / HTTP/1.1 ",
                " GET / HTTP/1.1",
                "GET /",
                "GET",
                "GET / http/1.1",
                "GET / HTTP/11",
                "GET /a b HTTP/1.1",
                "GET /a#b HTTP/1.1",
                "GET /a\tb HTTP/1.1",
                "GET http://h/ HTTP/1.1",
                "GET * HTTP/1.1",
                "CONNECT h:1 HTTP/1.1",
                "G\u0001T / HTTP/1.1",
                "\u0016\u0003\u0001GET / HTTP/1.1",
                "\r\n\r\nGET / HTTP/1.1"
            })
    void refusesMalformedRequestLines(String line) {
        refused(line + "\r\n" + HOST + "\r\n", ProtocolError.MALFORMED);
    }

    @Test
    void refusesOtherVersionsAndHttp10WithATransferCoding() {
        refused("GET / HTTP/2.0\r\n" + HOST + "\r\n", ProtocolError.UNSUPPORTED_VERSION);
        refused("GET / HTTP/1.1\r\n\r\n", ProtocolError.MALFORMED);
        refused(
                "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                ProtocolError.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5\nhello\r\n0\r\n\r\n",
                "x\r\nhello\r\n0\r\n\r\n",
                "-1\r\nhello\r\n0\r\n\r\n",
                " 5\r\nhello\r\n0\r\n\r\n",
                "0x5\r\nhello\r\n0\r\n\r\n",
                "5 a\r\nhello\r\n0\r\n\r\n",
                "5\r\nhelloX\r\n0\r\n\r\n",
                "5\r\nhello\n\n0\r\n\r\n",
                "FFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n",
                "5\r\nhello\r\n0\r\nbad trailer\r\n\r\n",
                "5;a\u0001\r\nhello\r\n0\r\n\r\n"
            })
    void refusesMalformedChunks(String body) {
        refused(
                "POST / HTTP/1.1\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n" + body,
                ProtocolError.MALFORMED);
    }

    @Test
    void boundsLinesHeadersAndTrailers() {
        refused("GET /" + "a".repeat(8300), ProtocolError.TARGET_TOO_LONG);
        refused(
                "GET / HTTP/1.1\r\n" + HOST + "X: " + "a".repeat(8300),
                ProtocolError.HEADERS_TOO_LARGE);
        refused(
                "GET / HTTP/1.1\r\n" + HOST + ("X: " + "a".repeat(4000) + "\r\n").repeat(10),
                ProtocolError.HEADERS_TOO_LARGE);
        refused(
                "GET / HTTP/1.1\r\n" + HOST + "X: a\r\n".repeat(128) + "\r\n",
                ProtocolError.HEADERS_TOO_LARGE);
        String chunked = "POST / HTTP/1.1\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n";
        refused(chunked + "0\r\n" + "X: a\r\n".repeat(1000), ProtocolError.HEADERS_TOO_LARGE);
        refused(chunked + "0".repeat(300), ProtocolError.MALFORMED);
    }

    @Test
    void knowsWhenAConnectionStaysOpen() throws Exception {
        assertThat(keepAlive("HTTP/1.1", "")).isTrue();
        assertThat(keepAlive("HTTP/1.1", "Connection: x, Close\r\n")).isFalse();
        assertThat(keepAlive("HTTP/1.0", "")).isFalse();
        assertThat(keepAlive("HTTP/1.0", "Connection: Keep-Alive\r\n")).isTrue();
    }

    private static boolean keepAlive(String version, String header) throws Exception {
        return parse("GET / " + version + "\r\n" + HOST + header + "\r\n", 100)
                .getFirst()
                .head()
                .keepAlive();
    }

    @Test
    void mangledBytesAreRefusedOrReadButNeverWorse() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        String wire =
                "PUT /b/k?x=1 HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "5\r\nhello\r\n0\r\nX: y\r\n\r\n"
                        + "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc";
        String alphabet = "\r\n\0 :;,0129aFx\u00ff";
        int refused = 0;
        for (int round = 0; round < 20_000; round++) {
            StringBuilder mangled = new StringBuilder(wire);
            for (int i = random.nextInt(4); i >= 0; i--) {
                char c = alphabet.charAt(random.nextInt(alphabet.length()));
                int at = random.nextInt(mangled.length());
                switch (random.nextInt(3)) {
                    case 0 -> mangled.setCharAt(at, c);
                    case 1 -> mangled.insert(at, c);
                    default -> mangled.deleteCharAt(at);
                }
            }
            int whole = outcome(mangled.toString(), 1 << 20, seed);
            assertThat(outcome(mangled.toString(), 1, seed))
                    .as("seed %d: %s", seed, mangled)
                    .isEqualTo(whole);
            refused += whole < 0 ? 1 : 0;
        }
        assertThat(refused).isBetween(1, 19_999);
    }

    /** Requests read, or -1 for a refusal; anything else fails the test. */
    private static int outcome(String wire, int step, long seed) {
        try {
            return parse(wire, step).size();
        } catch (RequestParser.Malformed e) {
            return -1;
        } catch (RuntimeException e) {
            throw new AssertionError("seed " + seed + ": " + wire, e);
        }
    }
}
