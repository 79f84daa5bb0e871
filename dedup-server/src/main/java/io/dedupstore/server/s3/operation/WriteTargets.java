package io.dedupstore.server.s3.operation;

import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.compression.ChunkCodec;
import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.object.WriteTarget;

/** How a bucket wants its bodies written. */
final class WriteTargets {
    /** What is never shared is not cut by its content, which would only tell of it. */
    private static final ChunkingSpec UNSHARED = ChunkingSpec.parse("fixed:256k");

    private WriteTargets() {}

    static WriteTarget of(Bucket bucket, ObjectKey key, Encrypted encrypted) {
        return new WriteTarget(
                bucket.id(),
                key,
                encrypted.domain(),
                encrypted.hasCustomerKey() ? UNSHARED : ChunkingSpec.parse(bucket.chunking()),
                ChunkCodec.parse(bucket.compression()),
                encrypted.sealing());
    }
}
