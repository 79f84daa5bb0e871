package io.dedupstore.core.index;

import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvException;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.Fingerprint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of pruned entries: a sample of their fingerprints is remembered, and one that is
 * stored anew tells that the entry would have deduplicated. Fingerprints are uniform, so one in
 * {@value #SAMPLE}, told by its last bits, stands for all. Nothing but statistics depends on it, so
 * that what cannot be read is passed over.
 */
final class Ghosts {
    static final int SAMPLE = 16;

    /** Remembered at most; beyond, a new one takes the place of its neighbour by fingerprint. */
    static final int MAX = 1 << 20;

    private final ShardTransaction shard;

    Ghosts(ShardTransaction shard) {
        this.shard = shard;
    }

    private static boolean sampled(Fingerprint fingerprint) {
        return fingerprint.w3() % SAMPLE == 0;
    }

    void remember(Fingerprint fingerprint) {
        if (!sampled(fingerprint)) {
            return;
        }
        byte[] key = IndexTables.ghostKey(shard.prefix, fingerprint);
        if (isRemembered(key)) {
            return;
        }
        if (shard.state.ghosts >= MAX) {
            forgetNeighbour(key);
        }
        shard.rows.put(IndexTables.GHOSTS, key, IndexTables.NOTHING);
        shard.state.ghosts++;
    }

    private boolean isRemembered(byte[] key) {
        try {
            return shard.rows.get(IndexTables.GHOSTS, key) != null;
        } catch (KvException e) {
            e.requireDamage();
            return true;
        }
    }

    private void forgetNeighbour(byte[] key) {
        byte[] victim = firstFrom(key);
        if (victim == null) {
            victim = firstFrom(shard.prefix);
        }
        if (victim != null) {
            shard.rows.delete(IndexTables.GHOSTS, victim);
            shard.state.ghosts--;
        }
    }

    private byte @Nullable [] firstFrom(byte[] key) {
        byte @Nullable [] end = Bytes.successorOfPrefix(shard.prefix);
        try (KvCursor cursor = shard.rows.scan(IndexTables.GHOSTS, key, end)) {
            return cursor.next() ? cursor.key() : null;
        } catch (KvException e) {
            e.requireDamage();
            return null;
        }
    }

    private List<byte @Nullable []> read(List<byte[]> keys) {
        try {
            return shard.rows.multiGet(IndexTables.GHOSTS, keys);
        } catch (KvException e) {
            e.requireDamage();
            return List.of();
        }
    }

    /** Entries that were just inserted: those that had been pruned count as missed. */
    void meet(List<ClaimItem> inserted) {
        if (shard.state.ghosts == 0) {
            return;
        }
        List<ClaimItem> asked = inserted.stream().filter(i -> sampled(i.fingerprint())).toList();
        List<byte[]> keys =
                asked.stream()
                        .map(i -> IndexTables.ghostKey(shard.prefix, i.fingerprint()))
                        .toList();
        List<byte @Nullable []> found = read(keys);
        for (int i = 0; i < found.size(); i++) {
            if (found.get(i) != null) {
                shard.rows.delete(IndexTables.GHOSTS, keys.get(i));
                shard.state.ghosts--;
                shard.state.ghostHits++;
                shard.state.ghostHitBytes += asked.get(i).length();
            }
        }
    }
}
