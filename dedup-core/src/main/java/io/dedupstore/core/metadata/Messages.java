package io.dedupstore.core.metadata;

import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.model.V;
import io.dedupstore.core.state.Outbox;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** What one entry of a shard sends. */
final class Messages {
    private final KvTransaction rows;
    private final ReferenceSums sums;
    private final Outbox outbox;
    private final int indexShards;

    Messages(RowWriter writer, ShardId shard, int indexShards) {
        this.rows = writer.transaction();
        this.sums = new ReferenceSums(writer);
        this.outbox = new Outbox(shard);
        this.indexShards = indexShards;
    }

    void confirm(ShardId to, V v, Retained retained) {
        count(to, new IndexMessage.Confirm(v, retained), sum -> sum.plus(retained.sum()));
    }

    void abort(ShardId to, V v) {
        send(to, new IndexMessage.Abort(v));
    }

    /**
     * RELEASE of indexed references, to the shards of their fingerprints.
     *
     * @param most in one message
     */
    void release(V holder, Collection<ChunkReference> references, int most) {
        SortedMap<ShardId, List<ChunkReference>> byShard = new TreeMap<>();
        for (ChunkReference reference : references) {
            byShard.computeIfAbsent(
                            ShardId.ofFingerprint(reference.fingerprint(), indexShards),
                            shard -> new ArrayList<>())
                    .add(reference);
        }
        byShard.forEach(
                (shard, list) -> {
                    for (int from = 0; from < list.size(); from += most) {
                        int to = Math.min(list.size(), from + most);
                        release(shard, holder, list.subList(from, to));
                    }
                });
    }

    private void release(ShardId shard, V holder, List<ChunkReference> references) {
        ReferenceSum released =
                references.stream()
                        .map(ReferenceSum::of)
                        .reduce(ReferenceSum.ZERO, ReferenceSum::plus);
        IndexMessage.Release message = new IndexMessage.Release(holder, references);
        count(shard, message, sum -> sum.minus(released));
    }

    private void count(ShardId to, IndexMessage message, UnaryOperator<ReferenceSum> change) {
        send(to, message);
        if (sums.change(to, change)) {
            audit(to);
        }
    }

    private void audit(ShardId to) {
        send(to, new IndexMessage.Audit(sums.of(to)));
    }

    /** AUDIT to every index shard that has not had one behind its last CONFIRM or RELEASE. */
    void auditAll() {
        sums.takeUnaudited().forEach(this::audit);
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

    void acknowledge(List<StreamPosition> streams) {
        outbox.acknowledge(rows, streams);
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
