package io.dedupstore.core.index;

import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.model.V;
import io.dedupstore.core.state.Inbox;
import io.dedupstore.core.state.MessageCodec;
import io.dedupstore.core.state.Outbox;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All that one index shard holds at one moment, for whoever compares it with what others hold. */
public final class IndexCut {
    private final KvReader rows;
    private final ShardId shard;
    private final byte[] prefix;
    private final Outbox outbox;

    /**
     * @param rows a consistent view
     */
    public IndexCut(KvReader rows, ShardId shard) {
        this.rows = rows;
        this.shard = shard;
        this.prefix = IndexTables.prefix(shard);
        this.outbox = new Outbox(shard);
    }

    public ShardId shard() {
        return shard;
    }

    public IndexStatistics statistics() {
        return IndexQueries.statistics(rows, shard);
    }

    /** Number of the last applied item of the stream from a metadata shard. */
    public long applied(ShardId source) {
        return new Inbox(new Destination.Shard(shard)).lastApplied(rows, source);
    }

    public Map<Destination, Outbox.Position> streams() {
        return outbox.positions(rows);
    }

    /** Items to a container behind a number. */
    public void forEachItem(ContainerId container, long after, Consumer<StorageMessage> visitor) {
        outbox.forEachItem(
                rows,
                new Destination.Container(container),
                after,
                item -> visitor.accept(MessageCodec.decodeStorage(item)));
    }

    /**
     * An entry.
     *
     * @param address null when the entry cannot be read
     * @param misplaced whether its table is not that of its references
     */
    public record EntryView(
            Fingerprint fingerprint,
            @Nullable ChunkAddress address,
            long references,
            boolean misplaced) {}

    /**
     * @param visitor tells whether to go on
     */
    public void forEachEntry(Predicate<EntryView> visitor) {
        if (forEachEntry(IndexTables.UNIQUE, visitor)) {
            forEachEntry(IndexTables.DUPLICATE, visitor);
        }
    }

    private boolean forEachEntry(Table table, Predicate<EntryView> visitor) {
        boolean duplicates = table.equals(IndexTables.DUPLICATE);
        try (KvCursor cursor = rows.scan(table, prefix, Bytes.successorOfPrefix(prefix))) {
            while (cursor.next()) {
                Fingerprint fingerprint = IndexTables.fingerprintOf(cursor.key());
                EntryView view =
                        Entry.read(cursor.value())
                                .map(entry -> view(fingerprint, entry, duplicates))
                                .orElse(new EntryView(fingerprint, null, 0, false));
                if (!visitor.test(view)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static EntryView view(Fingerprint fingerprint, Entry entry, boolean duplicates) {
        return new EntryView(
                fingerprint, entry.address(), entry.references(), entry.duplicate() != duplicates);
    }

    /** Attempts that hold references here by themselves: open ones and those being settled. */
    public void forEachIntent(Consumer<V> visitor) {
        try (KvCursor cursor =
                rows.scan(IndexTables.INTENTS, prefix, Bytes.successorOfPrefix(prefix))) {
            while (cursor.next()) {
                visitor.accept(IndexTables.vOf(cursor.key()));
            }
        }
    }

    /** Sees a reference that an attempt holds. */
    @FunctionalInterface
    public interface ClaimVisitor {
        void claim(V v, Fingerprint fingerprint, ChunkAddress address);
    }

    /** What intents hold; answers without address are left out. */
    public void forEachClaim(ClaimVisitor visitor) {
        try (KvCursor cursor =
                rows.scan(IndexTables.ANSWERS, prefix, Bytes.successorOfPrefix(prefix))) {
            while (cursor.next()) {
                byte[] key = cursor.key();
                Claims.addressOf(Answers.readOne(cursor.value()))
                        .ifPresent(
                                address ->
                                        visitor.claim(
                                                IndexTables.vOf(key),
                                                IndexTables.fingerprintOf(key),
                                                address));
            }
        }
    }
}
