package io.dedupstore.server.s3;

import io.dedupstore.server.http.HttpExchange;
import io.dedupstore.server.http.RequestBody;
import io.dedupstore.server.http.RequestHeaders;
import io.dedupstore.server.http.ResponseBody;
import io.dedupstore.server.http.ResponseHeaders;
import java.io.IOException;
import java.net.InetSocketAddress;

/** An exchange whose request said in a form what others say in headers. */
record FormExchange(HttpExchange exchange, RequestHeaders headers) implements HttpExchange {
    @Override
    public String method() {
        return exchange.method();
    }

    @Override
    public String rawTarget() {
        return exchange.rawTarget();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return exchange.remoteAddress();
    }

    @Override
    public InetSocketAddress localAddress() {
        return exchange.localAddress();
    }

    @Override
    public boolean secure() {
        return exchange.secure();
    }

    @Override
    public RequestBody body() {
        return exchange.body();
    }

    @Override
    public boolean expectsContinue() {
        return exchange.expectsContinue();
    }

    @Override
    public void sendContinue() throws IOException {
        exchange.sendContinue();
    }

    @Override
    public boolean responseStarted() {
        return exchange.responseStarted();
    }

    @Override
    public void respond(int status, ResponseHeaders responseHeaders, byte[] body)
            throws IOException {
        exchange.respond(status, responseHeaders, body);
    }

    @Override
    public ResponseBody startResponse(
            int status, ResponseHeaders responseHeaders, long contentLength) throws IOException {
        return exchange.startResponse(status, responseHeaders, contentLength);
    }
}
