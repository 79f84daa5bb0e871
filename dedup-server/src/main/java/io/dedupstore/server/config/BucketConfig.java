package io.dedupstore.server.config;

import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.compression.ChunkCodec;

/**
 * What a bucket gets when its creation does not say otherwise.
 *
 * @param blockPublicAccess whether all four blocks of public access are on
 */
public record BucketConfig(
        ChunkingSpec chunking,
        ChunkCodec compression,
        DefaultOwnership ownership,
        boolean blockPublicAccess) {}
