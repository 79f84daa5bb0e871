package io.dedupstore.server.config;

import java.time.Duration;
import java.util.List;

/**
 * The S3 API.
 *
 * @param port 0 takes any free one
 * @param domains base domains of virtual-host addressing, lower case
 * @param region what signatures are made for
 * @param signature2 whether signatures of version 2 are taken
 * @param logDelivery between deliveries of logs of buckets
 */
public record S3Config(
        int port, List<String> domains, String region, boolean signature2, Duration logDelivery) {
    public S3Config {
        domains = List.copyOf(domains);
    }
}
