package io.dedupstore.server.config;

import java.util.List;

/**
 * The S3 API.
 *
 * @param port 0 takes any free one
 * @param domains base domains of virtual-host addressing, lower case
 * @param region what signatures are made for
 */
public record S3Config(int port, List<String> domains, String region) {
    public S3Config {
        domains = List.copyOf(domains);
    }
}
