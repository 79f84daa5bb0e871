package io.dedupstore.server.s3;

import io.dedupstore.server.http.RequestHeaders;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Predicate;

/**
 * Where a request really comes from. Trusted proxies append whom they heard it from to {@code
 * X-Forwarded-For}: the last one that is no trusted proxy itself is the client. From anybody else
 * that header means nothing.
 */
final class ClientAddress {
    private static final String FORWARDED_FOR = "x-forwarded-for";
    private static final String FORWARDED_PROTO = "x-forwarded-proto";

    private final Predicate<InetAddress> trusted;

    ClientAddress(Predicate<InetAddress> trusted) {
        this.trusted = trusted;
    }

    InetAddress of(RequestHeaders headers, InetAddress peer) {
        InetAddress client = peer;
        List<String> hops =
                headers.all(FORWARDED_FOR).stream()
                        .flatMap(value -> List.of(value.split(",")).stream())
                        .map(String::strip)
                        .toList();
        for (String hop : hops.reversed()) {
            if (!trusted.test(client)) {
                return client;
            }
            try {
                client = InetAddress.ofLiteral(hop);
            } catch (IllegalArgumentException e) {
                return client;
            }
        }
        return client;
    }

    /** Whether the client's connection was encrypted, as far as is known. */
    boolean secure(RequestHeaders headers, InetAddress peer, boolean secureHere) {
        return secureHere
                || (trusted.test(peer)
                        && headers.first(FORWARDED_PROTO)
                                .map(String::strip)
                                .filter("https"::equalsIgnoreCase)
                                .isPresent());
    }
}
