package io.dedupstore.server.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * One listening port.
 *
 * @param name of the port, in thread names and logs
 * @param address where to listen; port 0 lets the kernel choose
 * @param tls certificate and key; empty for plain HTTP
 * @param eventLoops threads that move bytes
 * @param serverHeader value of the {@code Server} header; empty for none
 * @param failureHandler answers for handlers that failed
 * @param errorRenderer answers to what is not proper HTTP
 */
public record HttpServerConfig(
        String name,
        InetSocketAddress address,
        Optional<TlsSource> tls,
        int eventLoops,
        HttpLimits limits,
        HttpTimeouts timeouts,
        Optional<String> serverHeader,
        FailureHandler failureHandler,
        ProtocolErrorRenderer errorRenderer) {
    public HttpServerConfig {
        if (name.isEmpty() || eventLoops < 1) {
            throw new IllegalArgumentException("a port needs a name and at least one event loop");
        }
    }

    /** Plain HTTP, two event loops, plain-text errors. */
    public static HttpServerConfig of(String name, InetSocketAddress address) {
        return new HttpServerConfig(
                name,
                address,
                Optional.empty(),
                2,
                HttpLimits.defaults(),
                HttpTimeouts.defaults(),
                Optional.of("DedupStore"),
                HttpServerConfig::answerFailure,
                ProtocolErrorRenderer.plainText());
    }

    public HttpServerConfig withTls(TlsSource source) {
        return new HttpServerConfig(
                name,
                address,
                Optional.of(source),
                eventLoops,
                limits,
                timeouts,
                serverHeader,
                failureHandler,
                errorRenderer);
    }

    public HttpServerConfig withEventLoops(int threads) {
        return new HttpServerConfig(
                name,
                address,
                tls,
                threads,
                limits,
                timeouts,
                serverHeader,
                failureHandler,
                errorRenderer);
    }

    public HttpServerConfig withLimits(HttpLimits value) {
        return new HttpServerConfig(
                name,
                address,
                tls,
                eventLoops,
                value,
                timeouts,
                serverHeader,
                failureHandler,
                errorRenderer);
    }

    public HttpServerConfig withTimeouts(HttpTimeouts value) {
        return new HttpServerConfig(
                name,
                address,
                tls,
                eventLoops,
                limits,
                value,
                serverHeader,
                failureHandler,
                errorRenderer);
    }

    public HttpServerConfig withErrors(FailureHandler failures, ProtocolErrorRenderer renderer) {
        return new HttpServerConfig(
                name, address, tls, eventLoops, limits, timeouts, serverHeader, failures, renderer);
    }

    public HttpServerConfig withServerHeader(Optional<String> value) {
        return new HttpServerConfig(
                name,
                address,
                tls,
                eventLoops,
                limits,
                timeouts,
                value,
                failureHandler,
                errorRenderer);
    }

    private static void answerFailure(HttpExchange exchange, Throwable failure) throws IOException {
        int status =
                switch (failure) {
                    case BodyTimeoutException timeout -> 408;
                    case MalformedBodyException malformed -> 400;
                    default -> 500;
                };
        exchange.respond(status, ResponseHeaders.create(), new byte[0]);
    }
}
