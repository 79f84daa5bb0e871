package io.dedupstore.server.config;

/**
 * The admin API.
 *
 * @param port 0 takes any free one
 */
public record AdminConfig(int port) {}
