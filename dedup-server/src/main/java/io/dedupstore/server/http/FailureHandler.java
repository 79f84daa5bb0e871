package io.dedupstore.server.http;

import java.io.IOException;

/** Answers a request whose handler failed (or returned) before it had started a response. */
@FunctionalInterface
public interface FailureHandler {
    void answer(HttpExchange exchange, Throwable failure) throws IOException;
}
