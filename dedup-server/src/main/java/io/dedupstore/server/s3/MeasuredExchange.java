package io.dedupstore.server.s3;

import io.dedupstore.server.http.HttpExchange;
import io.dedupstore.server.http.ResponseBody;
import io.dedupstore.server.http.ResponseHeaders;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An exchange that remembers what was answered, for logs. One thread. */
final class MeasuredExchange implements ForwardingExchange {
    private final HttpExchange exchange;
    private int status;
    private long sentBytes;
    private long announcedBytes;

    MeasuredExchange(HttpExchange exchange) {
        this.exchange = exchange;
    }

    @Override
    public HttpExchange exchange() {
        return exchange;
    }

    /** 0 when nothing was answered. */
    int status() {
        return status;
    }

    /** Of the body. */
    long sentBytes() {
        return sentBytes;
    }

    /** What the answer said its body has, also where none is sent. */
    long announcedBytes() {
        return announcedBytes;
    }

    @Override
    public void respond(int responseStatus, ResponseHeaders headers, byte[] body)
            throws IOException {
        status = responseStatus;
        announcedBytes = body.length;
        sentBytes = method().equals("HEAD") ? 0 : body.length;
        exchange.respond(responseStatus, headers, body);
    }

    @Override
    public ResponseBody startResponse(
            int responseStatus, ResponseHeaders headers, long contentLength) throws IOException {
        status = responseStatus;
        announcedBytes = contentLength;
        return new Measured(exchange.startResponse(responseStatus, headers, contentLength));
    }

    private final class Measured implements ResponseBody {
        private final ResponseBody body;

        Measured(ResponseBody body) {
            this.body = body;
        }

        @Override
        public void write(ByteBuffer src) throws IOException {
            int count = src.remaining();
            body.write(src);
            sentBytes += count;
        }

        @Override
        public void write(ByteBuffer src, Runnable release) throws IOException {
            int count = src.remaining();
            body.write(src, release);
            sentBytes += count;
        }

        @Override
        public void flush() throws IOException {
            body.flush();
        }

        @Override
        public void abort() {
            body.abort();
        }

        @Override
        public void close() throws IOException {
            body.close();
        }
    }
}
