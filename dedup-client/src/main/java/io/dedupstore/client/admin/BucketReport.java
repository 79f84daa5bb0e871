package io.dedupstore.client.admin;

/**
 * A bucket and what it holds.
 *
 * @param chunking cdc:64k, fixed:128k, ...
 * @param compression off, lz4 or zstd
 * @param createdAt ISO 8601, UTC
 */
public record BucketReport(
        String name, String chunking, String compression, String createdAt, UsageReport usage) {}
