package io.dedupstore.server.http;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What a server counts; read through {@link HttpServerStats}. */
final class Counters {
    final AtomicInteger openConnections = new AtomicInteger();
    final AtomicInteger activeRequests = new AtomicInteger();
    final AtomicLong bufferedBodyBytes = new AtomicLong();
    final LongAdder acceptedConnections = new LongAdder();
    final LongAdder refusedConnections = new LongAdder();
    final LongAdder requests = new LongAdder();
    final LongAdder protocolErrors = new LongAdder();
    final LongAdder clientAborts = new LongAdder();
    final LongAdder timeouts = new LongAdder();
    final LongAdder handlerFailures = new LongAdder();
    final LongAdder receivedBytes = new LongAdder();
    final LongAdder sentBytes = new LongAdder();

    HttpServerStats snapshot() {
        return new HttpServerStats(
                openConnections.get(),
                activeRequests.get(),
                bufferedBodyBytes.get(),
                acceptedConnections.sum(),
                refusedConnections.sum(),
                requests.sum(),
                protocolErrors.sum(),
                clientAborts.sum(),
                timeouts.sum(),
                handlerFailures.sum(),
                receivedBytes.sum(),
                sentBytes.sum());
    }
}
