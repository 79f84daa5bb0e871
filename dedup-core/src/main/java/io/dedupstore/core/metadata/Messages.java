package io.dedupstore.core.metadata;

import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.model.V;
import io.dedupstore.core.state.Outbox;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/** What one entry of a shard sends. */
final class Messages {
    private final KvTransaction rows;
    private final Outbox outbox;
    private final int indexShards;

    Messages(KvTransaction rows, ShardId shard, int indexShards) {
        this.rows = rows;
        this.outbox = new Outbox(shard);
        this.indexShards = indexShards;
    }

    void confirm(ShardId to, V v, Retained retained) {
        send(to, new IndexMessage.Confirm(v, retained));
    }

    void abort(ShardId to, V v) {
        send(to, new IndexMessage.Abort(v));
    }

    /** RELEASE of indexed references, to the shards of their fingerprints. */
    void release(V holder, Collection<ChunkReference> references) {
        SortedMap<ShardId, List<ChunkReference>> byShard = new TreeMap<>();
        for (ChunkReference reference : references) {
            byShard.computeIfAbsent(
                            ShardId.ofFingerprint(reference.fingerprint(), indexShards),
                            shard -> new ArrayList<>())
                    .add(reference);
        }
        byShard.forEach(
                (shard, list) -> {
                    int most = IndexMessage.Release.MAX_REFERENCES;
                    for (int from = 0; from < list.size(); from += most) {
                        int to = Math.min(list.size(), from + most);
                        send(shard, new IndexMessage.Release(holder, list.subList(from, to)));
                    }
                });
    }

    void adopt(SortedMap<ContainerId, SortedSet<Integer>> slots) {
        slots.forEach((container, set) -> send(container, new StorageMessage.Adopt(array(set))));
    }

    void free(SortedMap<ContainerId, SortedSet<Integer>> slots) {
        slots.forEach((container, set) -> send(container, new StorageMessage.Free(array(set))));
    }

    void closed(ContainerId container, int epoch) {
        send(container, new StorageMessage.Closed(epoch));
    }

    void acknowledge(Destination stream, long upTo) {
        outbox.acknowledge(rows, stream, upTo);
    }

    private static int[] array(SortedSet<Integer> slots) {
        return slots.stream().mapToInt(Integer::intValue).toArray();
    }

    private void send(ShardId to, IndexMessage message) {
        outbox.append(rows, new Destination.Shard(to), message);
    }

    private void send(ContainerId to, StorageMessage message) {
        outbox.append(rows, new Destination.Container(to), message);
    }
}
