package io.dedupstore.server.http;

/**
 * Answers one request, blocking, on a virtual thread of its own. A handler that returns or throws
 * without having answered leaves the answer to the server's {@link FailureHandler}; one that throws
 * after the response head went out has its connection cut, so that the client sees a truncated
 * body.
 */
@FunctionalInterface
public interface HttpHandler {
    void handle(HttpExchange exchange) throws Exception;
}
