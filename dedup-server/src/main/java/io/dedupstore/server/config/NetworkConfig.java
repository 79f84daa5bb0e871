package io.dedupstore.server.config;

import java.net.InetAddress;
import java.util.List;

/**
 * How the ports are reached.
 *
 * @param bind address or host name both ports listen on
 * @param maxConnections open connections of the S3 port, further ones are closed at once
 * @param trustedProxies peers whose X-Forwarded headers are believed
 */
public record NetworkConfig(String bind, int maxConnections, List<IpRange> trustedProxies) {
    public NetworkConfig {
        trustedProxies = List.copyOf(trustedProxies);
    }

    public boolean trusts(InetAddress peer) {
        return trustedProxies.stream().anyMatch(range -> range.contains(peer));
    }
}
