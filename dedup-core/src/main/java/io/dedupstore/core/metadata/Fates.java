package io.dedupstore.core.metadata;

import io.dedupstore.core.metadata.MetadataProto.FateRow.Fate;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The verdict on every attempt of an open epoch. COMMITTED and ABORTED are final. A verdict is told
 * to each index shard once, through the outbox.
 */
final class Fates {
    private final ShardEntry entry;
    private final RowWriter rows;

    Fates(ShardEntry entry) {
        this.entry = entry;
        this.rows = entry.rows();
    }

    /** The fate of {@code v}, or null while it is open (or forgotten). */
    MetadataProto.@Nullable FateRow of(V v) {
        return isForgotten(v) ? null : rows.fate(v);
    }

    private boolean isForgotten(V v) {
        return v.epoch() <= entry.shard().getForgottenEpoch();
    }

    void commit(V v, MetadataProto.Reply outcome, Map<ShardId, Retained> claimed) {
        new TreeMap<>(claimed)
                .forEach((shard, retained) -> entry.messages().confirm(shard, v, retained));
        put(v, Fate.COMMITTED, outcome, notified(claimed.keySet()));
    }

    void abort(V v, MetadataProto.Reply outcome, Collection<ShardId> named) {
        SortedSet<Integer> told = notified(named);
        told.forEach(shard -> entry.messages().abort(ShardId.index(shard), v));
        put(v, Fate.ABORTED, outcome, told);
        if (rows.early(v) != null) {
            rows.delete(rows.keys.of(RowKeys.Kind.EARLY, v));
            entry.discard(
                    MetadataProto.GarbageRow.newBuilder().setEarlyRows(Wire.bytes(v)).build());
        }
    }

    private static SortedSet<Integer> notified(Collection<ShardId> shards) {
        SortedSet<Integer> numbers = new TreeSet<>();
        shards.forEach(shard -> numbers.add(shard.number()));
        return numbers;
    }

    /** Tells an aborted attempt's verdict to those that have not heard it. */
    void abortMore(V v, MetadataProto.FateRow fate, Collection<ShardId> named) {
        SortedSet<Integer> told = new TreeSet<>(fate.getNotifiedList());
        for (int shard : notified(named)) {
            if (told.add(shard)) {
                entry.messages().abort(ShardId.index(shard), v);
            }
        }
        put(v, Fate.ABORTED, fate.getOutcome(), told);
    }

    /** RESOLVE: decides an open fate, and queues the verdict unless it was queued before. */
    void resolve(V v, ShardId asking) {
        if (isForgotten(v)) {
            return;
        }
        MetadataProto.FateRow fate = rows.fate(v);
        if (fate == null) {
            abort(v, Replies.refused(MetadataProto.Refusal.ABORTED, givenUp(v)), List.of(asking));
            return;
        }
        if (fate.getNotifiedList().contains(asking.number())) {
            return;
        }
        switch (fate.getFate()) {
            case ABORTED -> abortMore(v, fate, List.of(asking));
            case COMMITTED -> {
                entry.messages().confirm(asking, v, new Retained.None());
                SortedSet<Integer> told = new TreeSet<>(fate.getNotifiedList());
                told.add(asking.number());
                put(v, Fate.COMMITTED, fate.getOutcome(), told);
            }
            case UNKNOWN, UNRECOGNIZED ->
                    throw new IllegalStateException("fate of " + v + " is " + fate.getFate());
        }
    }

    static String givenUp(V v) {
        return "attempt " + v + " was given up";
    }

    private void put(V v, Fate fate, MetadataProto.Reply outcome, SortedSet<Integer> notified) {
        rows.put(
                rows.keys.of(RowKeys.Kind.FATE, v),
                MetadataProto.FateRow.newBuilder()
                        .setFate(fate)
                        .setOutcome(outcome)
                        .addAllNotified(notified)
                        .build());
    }
}
