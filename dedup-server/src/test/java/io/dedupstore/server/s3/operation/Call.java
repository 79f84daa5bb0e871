package io.dedupstore.server.s3.operation;

import io.dedupstore.server.http.HttpExchange;
import io.dedupstore.server.http.RequestBody;
import io.dedupstore.server.http.RequestHeaders;
import io.dedupstore.server.http.ResponseBody;
import io.dedupstore.server.http.ResponseHeaders;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A request to be sent to a gateway under test, and the exchange that carries it. */
final class Call implements HttpExchange, RequestBody {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("127.0.0.1", 9000);

    private final String method;
    private final String target;
    private final List<Map.Entry<String, String>> headers = new ArrayList<>();
    private ByteBuffer body = ByteBuffer.allocate(0);
    private boolean bodyRead;
    private InetSocketAddress peer = ADDRESS;
    private boolean secure;
    private int status;
    private ResponseHeaders responseHeaders = ResponseHeaders.create();
    private final ByteArrayOutputStream response = new ByteArrayOutputStream();
    private boolean cut;

    Call(String method, String target) {
        this(method, target, "localhost:9000");
    }

    Call(String method, String target, String host) {
        this.method = method;
        this.target = target;
        header("host", host);
    }

    Call header(String name, String value) {
        headers.add(Map.entry(name, value));
        return this;
    }

    Call body(byte[] bytes) {
        body = ByteBuffer.wrap(bytes);
        return header("content-length", Integer.toString(bytes.length));
    }

    Call body(String text) {
        return body(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * @param address of the client
     * @param tls whether it speaks TLS
     */
    Call from(String address, boolean tls) {
        peer = new InetSocketAddress(address, 50_000);
        secure = tls;
        return this;
    }

    /** Whether the handler asked for the body. */
    boolean bodyRead() {
        return bodyRead;
    }

    Answer answer() {
        return new Answer(status, responseHeaders, response.toByteArray(), cut);
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
        return RequestHeaders.of(headers);
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return peer;
    }

    @Override
    public InetSocketAddress localAddress() {
        return ADDRESS;
    }

    @Override
    public boolean secure() {
        return secure;
    }

    @Override
    public RequestBody body() {
        return this;
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
    public void respond(int responseStatus, ResponseHeaders given, byte[] bytes) {
        start(responseStatus, given);
        if (!method.equals("HEAD")) {
            response.writeBytes(bytes);
        }
    }

    @Override
    public ResponseBody startResponse(
            int responseStatus, ResponseHeaders given, long contentLength) {
        start(responseStatus, given);
        return new ResponseBody() {
            @Override
            public void write(ByteBuffer src) {
                byte[] bytes = new byte[src.remaining()];
                src.get(bytes);
                response.writeBytes(bytes);
            }

            @Override
            public void write(ByteBuffer src, Runnable release) {
                write(src);
                release.run();
            }

            @Override
            public void flush() {}

            @Override
            public void abort() {
                cut = true;
            }

            @Override
            public void close() {
                boolean whole = method.equals("HEAD") || response.size() == contentLength;
                if (!cut && !whole) {
                    throw new IllegalStateException(
                            "announced " + contentLength + ", wrote " + response.size());
                }
            }
        };
    }

    private void start(int responseStatus, ResponseHeaders given) {
        if (status != 0) {
            throw new IllegalStateException("answered twice");
        }
        status = responseStatus;
        responseHeaders = given;
    }

    @Override
    public long declaredLength() {
        return body.limit();
    }

    @Override
    public int read(ByteBuffer dst) {
        bodyRead = true;
        if (!body.hasRemaining()) {
            return -1;
        }
        int count = Math.min(dst.remaining(), body.remaining());
        dst.put(body.slice(body.position(), count));
        body.position(body.position() + count);
        return count;
    }

    @Override
    public boolean drain(long maxBytes) {
        return true;
    }

    @Override
    public void close() {}
}
