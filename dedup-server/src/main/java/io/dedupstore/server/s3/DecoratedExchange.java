package io.dedupstore.server.s3;

import io.dedupstore.server.http.HttpExchange;
import io.dedupstore.server.http.ResponseBody;
import io.dedupstore.server.http.ResponseHeaders;
import java.io.IOException;
import java.util.function.Consumer;

/** An exchange whose responses, whatever they are, get further headers. */
record DecoratedExchange(HttpExchange exchange, Consumer<ResponseHeaders> decoration)
        implements ForwardingExchange {
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
