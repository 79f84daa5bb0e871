package io.dedupstore.server.s3;

import io.dedupstore.server.http.RequestHeaders;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Behind a reverse proxy the client signed another host than the one that arrives. What a trusted
 * proxy says in {@code X-Forwarded-Host} stands in for it; from anybody else that header means
 * nothing.
 */
final class ForwardedHost {
    private static final String FORWARDED = "x-forwarded-host";

    private final Predicate<InetAddress> trusted;

    /**
     * @param trusted peers that are our proxies
     */
    ForwardedHost(Predicate<InetAddress> trusted) {
        this.trusted = trusted;
    }

    /** The headers as the client sent them, of those that came from a peer. */
    RequestHeaders of(RequestHeaders headers, InetAddress peer) {
        Optional<String> forwarded = headers.first(FORWARDED);
        if (forwarded.isEmpty() || !trusted.test(peer)) {
            return headers;
        }
        // Every proxy on the way appends; the first is the client's.
        String host = forwarded.get().split(",", 2)[0].strip();
        List<Map.Entry<String, String>> fields =
                headers.entries().stream()
                        .map(
                                field ->
                                        field.getKey().equals("host")
                                                ? Map.entry("host", host)
                                                : field)
                        .toList();
        return RequestHeaders.of(fields);
    }
}
