package io.dedupstore.server.http;

import java.time.Duration;

/**
 * How long the server waits for clients.
 *
 * @param idle between two requests of a connection
 * @param head from a connection's first byte (or its opening) to the end of a request's headers
 * @param bodyStall the span in which a client that the server waits for must send {@code
 *     minBodyBytes}
 * @param minBodyBytes see there
 * @param writeStall the span in which a client must take some of a response
 * @param linger how long what a client still sends is dropped before its connection closes for good
 * @param handshake TLS handshake
 */
public record HttpTimeouts(
        Duration idle,
        Duration head,
        Duration bodyStall,
        int minBodyBytes,
        Duration writeStall,
        Duration linger,
        Duration handshake) {
    public HttpTimeouts {
        for (Duration span :
                new Duration[] {idle, head, bodyStall, writeStall, linger, handshake}) {
            if (span.isNegative() || span.isZero()) {
                throw new IllegalArgumentException("time-outs must be positive");
            }
        }
        if (minBodyBytes < 1) {
            throw new IllegalArgumentException("minBodyBytes must be positive");
        }
    }

    public static HttpTimeouts defaults() {
        return new HttpTimeouts(
                Duration.ofSeconds(75),
                Duration.ofSeconds(20),
                Duration.ofSeconds(30),
                16 * 1024,
                Duration.ofSeconds(60),
                Duration.ofSeconds(5),
                Duration.ofSeconds(10));
    }

    /** The same for all but the body's minimum. */
    public HttpTimeouts withAll(Duration span) {
        return new HttpTimeouts(span, span, span, minBodyBytes, span, span, span);
    }
}
