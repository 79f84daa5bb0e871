package io.dedupstore.server.config;

import java.time.Duration;

/**
 * How long things may take.
 *
 * @param idle a connection without a request
 * @param header from a request's first byte to the end of its headers
 * @param stall a client that neither sends nor takes a byte
 * @param shutdown running requests, when the server is asked to stop
 */
public record TimeoutConfig(Duration idle, Duration header, Duration stall, Duration shutdown) {}
