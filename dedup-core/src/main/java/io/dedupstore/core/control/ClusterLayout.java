package io.dedupstore.core.control;

import io.dedupstore.core.model.ShardId;
import java.util.ArrayList;
import java.util.List;

/** How many logical shards there are; fixed when the cluster is made. */
public record ClusterLayout(int indexShards, int metadataShards) {
    public ClusterLayout {
        check("index", indexShards);
        check("metadata", metadataShards);
    }

    private static void check(String kind, int count) {
        if (count < 1 || count > ShardId.MAX_SHARDS) {
            throw new IllegalArgumentException("1 to 4096 %s shards: %d".formatted(kind, count));
        }
    }

    public List<ShardId> index() {
        List<ShardId> shards = new ArrayList<>(indexShards);
        for (int i = 0; i < indexShards; i++) {
            shards.add(ShardId.index(i));
        }
        return shards;
    }

    public List<ShardId> metadata() {
        List<ShardId> shards = new ArrayList<>(metadataShards);
        for (int i = 0; i < metadataShards; i++) {
            shards.add(ShardId.metadata(i));
        }
        return shards;
    }
}
