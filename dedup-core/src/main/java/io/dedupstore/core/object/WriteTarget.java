package io.dedupstore.core.object;

import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.compression.ChunkCodec;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.ObjectKey;

/** Where a write goes and how its bytes are cut and kept. */
public record WriteTarget(
        BucketId bucket,
        ObjectKey key,
        DomainId domain,
        ChunkingSpec chunking,
        ChunkCodec compression) {}
