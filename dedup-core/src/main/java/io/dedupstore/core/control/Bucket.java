package io.dedupstore.core.control;

import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.DomainId;

/**
 * A bucket's record.
 *
 * @param owner account id
 * @param chunking textual chunking spec, fixed at creation ({@code cdc:64k}, {@code fixed:128k})
 * @param compression {@code off}, {@code lz4} or {@code zstd}
 * @param region location constraint named at creation; empty for the default
 */
public record Bucket(
        BucketId id,
        String name,
        String owner,
        DomainId domain,
        String chunking,
        String compression,
        String region,
        long createdMillis) {}
