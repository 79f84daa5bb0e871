package io.dedupstore.core.object;

import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.compression.ChunkCodec;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.ObjectKey;

/**
 * Where a write goes and how its bytes are cut and kept.
 *
 * @param domain one that is for this kind of sealing alone, so that a chunk in the clear and an
 *     encrypted one never stand for each other
 */
public record WriteTarget(
        BucketId bucket,
        ObjectKey key,
        DomainId domain,
        ChunkingSpec chunking,
        ChunkCodec compression,
        Sealing sealing) {
    /** A write in the clear. */
    public WriteTarget(
            BucketId bucket,
            ObjectKey key,
            DomainId domain,
            ChunkingSpec chunking,
            ChunkCodec compression) {
        this(bucket, key, domain, chunking, compression, Sealing.NONE);
    }
}
