package io.dedupstore.core.index;

import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ReferenceSum;

/**
 * PRUNE: an entry with one reference is forgotten, the chunk stays with its owner. Whether an open
 * intent holds an entry is told by time: its last touch is never before the opening of an intent
 * that holds it, so what was touched before the oldest intent opened is held by none.
 */
final class Pruning {
    /** Intents looked at in one command; with more of them nothing is pruned yet. */
    static final int MAX_INTENTS = 2_000;

    private final ShardTransaction shard;

    Pruning(ShardTransaction shard) {
        this.shard = shard;
    }

    IndexReply apply(IndexCommand.Prune prune) {
        if (shard.state.rebuild != ShardState.Rebuild.NONE) {
            return new IndexReply.Pruned(0, 0);
        }
        long oldest = oldestIntent();
        shard.entries.load(prune.fingerprints());
        Ghosts ghosts = new Ghosts(shard);
        int entries = 0;
        long bytes = 0;
        for (Fingerprint fingerprint : prune.fingerprints()) {
            EntryRows.Slot slot = shard.entries.of(fingerprint);
            Entry entry = slot.entry();
            boolean prunable =
                    entry != null
                            && entry.references() == 1
                            && !entry.suspect()
                            && entry.touched() <= prune.untouchedSince()
                            && entry.touched() < oldest;
            if (prunable) {
                slot.set(null);
                shard.audit.prune(ReferenceSum.of(fingerprint, entry.address()));
                ghosts.remember(fingerprint);
                entries++;
                bytes += entry.length();
            }
        }
        shard.state.pruned += entries;
        shard.state.prunedBytes += bytes;
        return new IndexReply.Pruned(entries, bytes);
    }

    /** When the oldest intent was opened; 0 when there are too many to tell. */
    private long oldestIntent() {
        if (shard.state.openIntents + shard.state.settlingIntents > MAX_INTENTS) {
            return 0;
        }
        long oldest = Long.MAX_VALUE;
        try (KvCursor cursor =
                shard.rows.scan(
                        IndexTables.INTENTS, shard.prefix, Bytes.successorOfPrefix(shard.prefix))) {
            while (cursor.next()) {
                oldest = Math.min(oldest, Intent.read(cursor.value()).opened());
            }
        }
        return oldest;
    }
}
