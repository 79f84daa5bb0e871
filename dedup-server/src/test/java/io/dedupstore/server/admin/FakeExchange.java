package io.dedupstore.server.admin;

import io.dedupstore.server.http.HttpExchange;
import io.dedupstore.server.http.RequestBody;
import io.dedupstore.server.http.RequestHeaders;
import io.dedupstore.server.http.ResponseBody;
import io.dedupstore.server.http.ResponseHeaders;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A request in memory, and the response that was given to it. */
final class FakeExchange implements HttpExchange {
    private final String method;
    private final String target;
    private final RequestHeaders headers;
    private final byte[] body;
    int status;
    ResponseHeaders responseHeaders = ResponseHeaders.create();
    String responseBody = "";

    FakeExchange(String method, String target, Map<String, String> headers, String body) {
        this.method = method;
        this.target = target;
        this.headers = RequestHeaders.of(List.copyOf(headers.entrySet()));
        this.body = body.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String rawTarget() {
        return target;
    }

    @Override
    public RequestHeaders headers() {
        return headers;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    }

    @Override
    public InetSocketAddress localAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 2);
    }

    @Override
    public boolean secure() {
        return false;
    }

    @Override
    public RequestBody body() {
        ByteBuffer source = ByteBuffer.wrap(body);
        return new RequestBody() {
            @Override
            public long declaredLength() {
                return body.length;
            }

            @Override
            public int read(ByteBuffer dst) {
                if (!source.hasRemaining()) {
                    return -1;
                }
                int count = Math.min(dst.remaining(), source.remaining());
                dst.put(source.slice(source.position(), count));
                source.position(source.position() + count);
                return count;
            }

            @Override
            public boolean drain(long maxBytes) {
                return true;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public boolean expectsContinue() {
        return false;
    }

    @Override
    public void sendContinue() {}

    @Override
    public boolean responseStarted() {
        return status != 0;
    }

    @Override
    public void respond(int status, ResponseHeaders headers, byte[] body) {
        this.status = status;
        this.responseHeaders = headers;
        this.responseBody = new String(body, StandardCharsets.UTF_8);
    }

    @Override
    public ResponseBody startResponse(int status, ResponseHeaders headers, long contentLength) {
        throw new AssertionError("the admin API answers in one piece");
    }
}
