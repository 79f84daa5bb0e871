package io.dedupstore.core.metadata;

import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.state.ReplicatedGroup;

/** Where metadata is. Every bucket is one range, which starts as a whole in one shard. */
public interface ShardMap {
    ShardId homeOf(BucketId bucket);

    ReplicatedGroup groupOf(ShardId shard);
}
