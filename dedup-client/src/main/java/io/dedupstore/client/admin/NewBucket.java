package io.dedupstore.client.admin;

import org.jspecify.annotations.Nullable;

/**
 * A bucket to be made; what is left out is the server's default.
 *
 * @param chunking cdc, cdc:8k ... cdc:64k, or fixed:4k ... fixed:1m
 * @param compression off, lz4 or zstd
 */
public record NewBucket(String name, @Nullable String chunking, @Nullable String compression) {}
