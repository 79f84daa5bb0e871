package io.dedupstore.core.index;

import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.Fingerprint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * CONDEMN: entries without references are removed and their slots freed in the same step, so that
 * the same content, when it comes again, gets another address than the one a late FREE names.
 */
final class Condemnation {
    private final ShardTransaction shard;

    Condemnation(ShardTransaction shard) {
        this.shard = shard;
    }

    /**
     * The queue is walked round and round from a cursor: what was removed lately lies behind it,
     * and scans do not step over removed rows again and again.
     */
    void step(int most) {
        Fingerprint from = shard.state.zombieCursor;
        List<Fingerprint> queued = queued(from, most);
        if (queued.isEmpty() && from == null) {
            shard.state.zombies = 0;
        }
        shard.state.zombieCursor = queued.size() < most ? null : queued.getLast();
        shard.entries.load(queued);
        for (Fingerprint fingerprint : queued) {
            condemn(fingerprint);
        }
    }

    private void condemn(Fingerprint fingerprint) {
        EntryRows.Slot slot = shard.entries.of(fingerprint);
        Entry entry = slot.entry();
        if (entry != null && entry.zombie()) {
            shard.storage.free(entry.address());
            slot.set(null);
            return;
        }
        // Not a zombie, or not readable: nothing may be freed, and it is not looked at again.
        shard.rows.delete(IndexTables.ZOMBIES, IndexTables.key(shard.prefix, fingerprint));
        shard.state.zombies--;
        shard.state.anomalies += slot.unreadable() ? 0 : 1;
    }

    private List<Fingerprint> queued(@Nullable Fingerprint after, int most) {
        byte[] from =
                after == null
                        ? shard.prefix
                        : Bytes.successor(IndexTables.key(shard.prefix, after));
        List<Fingerprint> queued = new ArrayList<>();
        try (KvCursor cursor =
                shard.rows.scan(IndexTables.ZOMBIES, from, Bytes.successorOfPrefix(shard.prefix))) {
            while (queued.size() < most && cursor.next()) {
                queued.add(IndexTables.fingerprintOf(cursor.key()));
            }
        }
        return queued;
    }
}
