package io.dedupstore.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** What comes over a connection, in pieces of a length that the first byte says. */
public final class HttpFuzz {
    private HttpFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        RequestParser parser = new RequestParser(HttpLimits.defaults());
        int step = 1 + (input[0] & 0xff);
        ByteBuf in = Unpooled.buffer();
        try {
            for (int at = 1; at < input.length; at += step) {
                in.writeBytes(input, at, Math.min(step, input.length - at));
                take(parser, in);
            }
        } catch (RequestParser.Malformed e) {
            // is answered, and the connection closed
        } finally {
            in.release();
        }
    }

    private static void take(RequestParser parser, ByteBuf in) throws RequestParser.Malformed {
        while (true) {
            switch (parser.next(in)) {
                case RequestParser.Event.NeedMore none -> {
                    return;
                }
                case RequestParser.Event.Head head -> {}
                case RequestParser.Event.Body piece -> in.skipBytes(piece.bytes());
                case RequestParser.Event.End end -> {}
            }
        }
    }
}
