package io.dedupstore.server.s3;

import io.dedupstore.server.http.HttpExchange;
import io.dedupstore.server.http.RequestBody;
import io.dedupstore.server.http.RequestHeaders;
import io.dedupstore.server.http.ResponseBody;
import io.dedupstore.server.http.ResponseHeaders;
import java.io.IOException;
import java.net.InetSocketAddress;

/** An exchange that is another one but for what it overrides. */
interface ForwardingExchange extends HttpExchange {
    /** The other one. */
    HttpExchange exchange();

    @Override
    default String method() {
        return exchange().method();
    }

    @Override
    default String rawTarget() {
        return exchange().rawTarget();
    }

    @Override
    default RequestHeaders headers() {
        return exchange().headers();
    }

    @Override
    default InetSocketAddress remoteAddress() {
        return exchange().remoteAddress();
    }

    @Override
    default InetSocketAddress localAddress() {
        return exchange().localAddress();
    }

    @Override
    default boolean secure() {
        return exchange().secure();
    }

    @Override
    default RequestBody body() {
        return exchange().body();
    }

    @Override
    default boolean expectsContinue() {
        return exchange().expectsContinue();
    }

    @Override
    default void sendContinue() throws IOException {
        exchange().sendContinue();
    }

    @Override
    default boolean responseStarted() {
        return exchange().responseStarted();
    }

    @Override
    default void respond(int status, ResponseHeaders headers, byte[] body) throws IOException {
        exchange().respond(status, headers, body);
    }

    @Override
    default ResponseBody startResponse(int status, ResponseHeaders headers, long contentLength)
            throws IOException {
        return exchange().startResponse(status, headers, contentLength);
    }
}
