package io.dedupstore.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The handler's view of one request on a connection. Everything here runs on the handler's thread.
 */
final class NettyExchange implements HttpExchange, RequestBody {
    private static final byte[] CONTINUE =
            "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final HttpConnection connection;
    private final Channel channel;
    private final ParsedHead head;
    private final BodyQueue queue;
    private final Outbound outbound;
    private boolean continuePending;
    private boolean responseStarted;
    private boolean responseEnded;
    private @Nullable StreamedResponse streamed;

    NettyExchange(
            HttpConnection connection,
            Channel channel,
            ParsedHead head,
            BodyQueue queue,
            Outbound outbound) {
        this.connection = connection;
        this.channel = channel;
        this.head = head;
        this.queue = queue;
        this.outbound = outbound;
        this.continuePending = head.expectsContinue();
    }

    @Override
    public String method() {
        return head.method();
    }

    @Override
    public String rawTarget() {
        return head.target();
    }

    @Override
    public RequestHeaders headers() {
        return head.headers();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return connection.remoteAddress();
    }

    @Override
    public InetSocketAddress localAddress() {
        return connection.localAddress();
    }

    @Override
    public boolean secure() {
        return connection.secure();
    }

    @Override
    public RequestBody body() {
        return this;
    }

    @Override
    public boolean expectsContinue() {
        return head.expectsContinue();
    }

    @Override
    public void sendContinue() throws IOException {
        if (continuePending && !responseStarted) {
            continuePending = false;
            connection.bodyAskedFor();
            outbound.send(Unpooled.wrappedBuffer(CONTINUE), true);
        }
    }

    @Override
    public boolean responseStarted() {
        return responseStarted;
    }

    // Request body.

    @Override
    public long declaredLength() {
        return head.contentLength();
    }

    @Override
    public int read(ByteBuffer dst) throws IOException {
        if (!dst.hasRemaining()) {
            return 0;
        }
        sendContinue();
        requireComing();
        return queue.read(dst);
    }

    @Override
    public boolean drain(long maxBytes) throws IOException {
        sendContinue();
        requireComing();
        return queue.drain(maxBytes);
    }

    /** A client that was answered before it was told to go on may never send its body. */
    private void requireComing() throws IOException {
        if (continuePending) {
            throw new IOException("the body was never asked for: the response came first");
        }
    }

    @Override
    public void close() {
        queue.discardFromReader();
    }

    // Response.

    @Override
    public void respond(int status, ResponseHeaders headers, byte[] body) throws IOException {
        ResponseHead.Framing framing =
                ResponseHead.allowsBody(status)
                        ? ResponseHead.Framing.LENGTH
                        : ResponseHead.Framing.NONE;
        ByteBuf out = start(status, headers, framing, body.length);
        boolean withBody = framing == ResponseHead.Framing.LENGTH && !isHead() && body.length > 0;
        responseEnded = true;
        if (withBody) {
            out = Unpooled.wrappedBuffer(out, Unpooled.wrappedBuffer(body));
        }
        outbound.send(out, true).addListener(done -> connection.responseSent());
    }

    @Override
    public ResponseBody startResponse(int status, ResponseHeaders headers, long contentLength)
            throws IOException {
        ResponseHead.Framing framing = framing(status, contentLength);
        ByteBuf out = start(status, headers, framing, contentLength);
        StreamedResponse body =
                new StreamedResponse(
                        this,
                        channel,
                        outbound,
                        out,
                        isHead() || !ResponseHead.allowsBody(status),
                        framing,
                        contentLength);
        streamed = body;
        return body;
    }

    private ResponseHead.Framing framing(int status, long contentLength) {
        if (!ResponseHead.allowsBody(status)) {
            return ResponseHead.Framing.NONE;
        }
        if (contentLength >= 0) {
            return ResponseHead.Framing.LENGTH;
        }
        if (isHead()) {
            return ResponseHead.Framing.NONE;
        }
        return head.minorVersion() == 1
                ? ResponseHead.Framing.CHUNKED
                : ResponseHead.Framing.UNTIL_CLOSE;
    }

    private ByteBuf start(
            int status, ResponseHeaders headers, ResponseHead.Framing framing, long length) {
        if (responseStarted) {
            throw new IllegalStateException("a response was started already");
        }
        if (status < 200 || status > 999) {
            throw new IllegalArgumentException("not a final status: " + status);
        }
        responseStarted = true;
        boolean close =
                connection.closesAfterResponse(continuePending)
                        || framing == ResponseHead.Framing.UNTIL_CLOSE;
        if (close) {
            connection.closeAfterResponse();
        }
        return new ResponseHead(status, headers, framing, length, close, head.minorVersion())
                .encode(channel.alloc(), connection.serverHeader());
    }

    private boolean isHead() {
        return head.method().equals("HEAD");
    }

    void streamEnded() {
        responseEnded = true;
        streamed = null;
    }

    HttpConnection connection() {
        return connection;
    }

    /**
     * After the handler: gives everything back; cuts the connection if the response is not whole.
     */
    void finish() {
        StreamedResponse open = streamed;
        if (open != null) {
            open.abort();
        }
        if (!responseEnded) {
            connection.abort();
        }
        queue.discardFromReader();
    }
}
