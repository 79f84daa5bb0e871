package io.dedupstore.core.spi;

import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;

/** A metadata shard as the coordinator of attempts. */
public interface MetadataShard extends OutboxShard {
    /** RESOLVE: the verdict on {@code v} comes to {@code asking} through the outbox. */
    void resolve(V v, ShardId asking);
}
