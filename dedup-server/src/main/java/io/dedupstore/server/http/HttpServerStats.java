package io.dedupstore.server.http;

/**
 * A port's numbers: the first three are gauges, the others count from the start.
 *
 * @param receivedBytes without TLS
 * @param sentBytes without TLS, once they were handed to the kernel
 */
public record HttpServerStats(
        int openConnections,
        int activeRequests,
        long bufferedBodyBytes,
        long acceptedConnections,
        long refusedConnections,
        long requests,
        long protocolErrors,
        long clientAborts,
        long timeouts,
        long handlerFailures,
        long receivedBytes,
        long sentBytes) {}
