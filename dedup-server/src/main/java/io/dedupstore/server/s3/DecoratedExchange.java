package io.dedupstore.server.s3;

import io.dedupstore.server.http.HttpExchange;
import io.dedupstore.server.http.RequestBody;
import io.dedupstore.server.http.RequestHeaders;
import io.dedupstore.server.http.ResponseBody;
import io.dedupstore.server.http.ResponseHeaders;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/** An exchange whose responses, whatever they are, get further headers. */
record DecoratedExchange(HttpExchange exchange, Consumer<ResponseHeaders> decoration)
        implements HttpExchange {
    @Override
    public String method() {
        return exchange.method();
    }

    @Override
    public String rawTarget() {
        return exchange.rawTarget();
    }

    @Override
    public RequestHeaders headers() {
        return exchange.headers();
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
    public void respond(int status, ResponseHeaders headers, byte[] body) throws IOException {
        decoration.accept(headers);
        exchange.respond(status, headers, body);
    }

    @Override
    public ResponseBody startResponse(int status, ResponseHeaders headers, long contentLength)
            throws IOException {
        decoration.accept(headers);
        return exchange.startResponse(status, headers, contentLength);
    }
}
