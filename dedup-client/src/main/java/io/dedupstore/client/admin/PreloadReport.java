package io.dedupstore.client.admin;

/**
 * What a preload read.
 *
 * @param what all or filters
 * @param read bytes for {@code all}, files for {@code filters}
 * @param seconds it took
 * @param filterBytes memory of filters and table indexes now
 */
public record PreloadReport(String what, long read, double seconds, long filterBytes) {}
