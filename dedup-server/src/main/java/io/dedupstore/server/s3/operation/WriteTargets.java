package io.dedupstore.server.s3.operation;

import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.compression.ChunkCodec;
import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.object.WriteTarget;

/** How a bucket wants its bodies written. */
final class WriteTargets {
    private WriteTargets() {}

    static WriteTarget of(Bucket bucket, ObjectKey key) {
        return new WriteTarget(
                bucket.id(),
                key,
                bucket.domain(),
                ChunkingSpec.parse(bucket.chunking()),
                ChunkCodec.parse(bucket.compression()));
    }
}
