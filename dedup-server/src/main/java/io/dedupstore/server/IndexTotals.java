package io.dedupstore.server;

import io.dedupstore.core.index.IndexShardClient;
import io.dedupstore.core.index.IndexStatistics;
import java.util.List;
import java.util.function.ToLongFunction;

/** Statistics of all index shards together. */
record IndexTotals(List<IndexStatistics> shards) {
    static IndexTotals of(NodeCore core) {
        return new IndexTotals(
                core.index().shards().stream().map(IndexShardClient::statistics).toList());
    }

    long sum(ToLongFunction<IndexStatistics> figure) {
        return shards.stream().mapToLong(figure).sum();
    }

    /** -1 where a shard has none. */
    long entryLimit() {
        return shards.stream().anyMatch(shard -> shard.entryLimit() < 0)
                ? -1
                : sum(IndexStatistics::entryLimit);
    }

    /** Whether some shard takes no new entries now. */
    boolean over() {
        return shards.stream()
                .anyMatch(
                        shard -> shard.entryLimit() >= 0 && shard.entries() >= shard.entryLimit());
    }

    boolean balanced() {
        return shards.stream().allMatch(shard -> shard.audit().balanced());
    }
}
