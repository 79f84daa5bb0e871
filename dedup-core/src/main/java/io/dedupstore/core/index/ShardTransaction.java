package io.dedupstore.core.index;

import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.state.Outbox;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One command's work on one shard; {@link #save} writes what was collected in memory. */
final class ShardTransaction {
    final KvTransaction rows;
    final ShardId shard;
    final byte[] prefix;
    final ShardState state;
    final Audit audit;
    final EntryRows entries;
    final StorageBatch storage = new StorageBatch();
    final Outbox outbox;

    ShardTransaction(KvTransaction rows, ShardId shard) {
        this.rows = rows;
        this.shard = shard;
        this.prefix = IndexTables.prefix(shard);
        this.state = ShardState.load(rows, prefix);
        this.audit = Audit.load(rows, prefix);
        this.entries = new EntryRows(rows, prefix, state, audit);
        this.outbox = new Outbox(shard);
    }

    Optional<Intent> intent(V v) {
        byte[] row = rows.get(IndexTables.INTENTS, IndexTables.key(prefix, v));
        return row == null ? Optional.empty() : Optional.of(Intent.read(row));
    }

    void putIntent(V v, Intent intent) {
        rows.put(IndexTables.INTENTS, IndexTables.key(prefix, v), intent.toBytes());
    }

    void removeIntent(V v) {
        rows.delete(IndexTables.INTENTS, IndexTables.key(prefix, v));
    }

    boolean tombstoned(V v) {
        byte @Nullable [] row = rows.get(IndexTables.TOMBSTONES, IndexTables.key(prefix, v));
        return row != null;
    }

    void save() {
        entries.save();
        storage.send(outbox, rows);
        state.save(rows);
        audit.save(rows);
    }
}
