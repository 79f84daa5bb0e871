package io.dedupstore.core.index;

import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.model.Fingerprint;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The one row with what a shard knows of itself; written back when it was changed. */
final class ShardState {
    static final long NO_LIMIT = -1;

    private static final byte VERSION = 1;
    private static final int BYTES = 1 + 3 * 4 + 8 + 4 + 12 * 8 + 1 + Fingerprint.BYTES;

    /** CLAIMs of epochs up to this one are refused. */
    int refusedEpoch;

    /** Tombstones of epochs up to this one mean nothing any more. */
    int forgottenEpoch;

    /** Tombstones of epochs up to this one have been removed. */
    int cleanedEpoch;

    /** No entries are added at this many; {@link #NO_LIMIT} for none. */
    long entryLimit = NO_LIMIT;

    /** The latest time a claim brought, in seconds; never goes back. */
    long time;

    long entries;
    long zombies;
    long zombieBytes;
    long openIntents;
    long settlingIntents;

    /** Meetings with entries that cannot be read. */
    long unreadable;

    /** Settlements and releases that did not find what they must have found. */
    long anomalies;

    /** Entries pruned whose owners have not yet released them. */
    long pruned;

    /**
     * Plain bytes of their chunks. A release does not tell a length, so it takes the average: exact
     * when nothing or all of it has been released, and where chunks are of one size.
     */
    long prunedBytes;

    /** Sampled fingerprints of pruned entries that are remembered. */
    long ghosts;

    /** Remembered fingerprints that were stored anew, and the plain bytes of those chunks. */
    long ghostHits;

    long ghostHitBytes;

    /** Where collection goes on; null for the table's start. */
    @Nullable Fingerprint zombieCursor;

    private final byte[] key;
    private final byte[] before;

    private ShardState(byte[] key, byte[] before) {
        this.key = key;
        this.before = before;
    }

    static ShardState load(KvReader rows, byte[] prefix) {
        byte[] key = IndexTables.stateKey(prefix);
        byte[] row = rows.get(IndexTables.STATE, key);
        ShardState state = new ShardState(key, row == null ? IndexTables.NOTHING : row);
        if (row != null) {
            state.read(row);
        }
        return state;
    }

    private void read(byte[] row) {
        ByteBuffer in = ByteBuffer.wrap(row);
        byte version = in.get();
        if (version != VERSION || row.length != BYTES) {
            throw new IllegalStateException(
                    "the index shard's state has format version "
                            + version
                            + ", this release reads "
                            + VERSION
                            + ": it was written by a newer release");
        }
        refusedEpoch = in.getInt();
        forgottenEpoch = in.getInt();
        cleanedEpoch = in.getInt();
        entryLimit = in.getLong();
        time = Integer.toUnsignedLong(in.getInt());
        entries = in.getLong();
        zombies = in.getLong();
        zombieBytes = in.getLong();
        openIntents = in.getLong();
        settlingIntents = in.getLong();
        unreadable = in.getLong();
        anomalies = in.getLong();
        pruned = in.getLong();
        prunedBytes = in.getLong();
        ghosts = in.getLong();
        ghostHits = in.getLong();
        ghostHitBytes = in.getLong();
        boolean hasCursor = in.get() != 0;
        Fingerprint cursor = Fingerprint.read(in);
        zombieCursor = hasCursor ? cursor : null;
    }

    void save(KvTransaction rows) {
        byte[] now = toBytes();
        if (!Arrays.equals(now, before)) {
            rows.put(IndexTables.STATE, key, now);
        }
    }

    private byte[] toBytes() {
        ByteBuffer out = ByteBuffer.allocate(BYTES);
        out.put(VERSION).putInt(refusedEpoch).putInt(forgottenEpoch).putInt(cleanedEpoch);
        out.putLong(entryLimit).putInt((int) time);
        out.putLong(entries).putLong(zombies).putLong(zombieBytes);
        out.putLong(openIntents).putLong(settlingIntents);
        out.putLong(unreadable).putLong(anomalies);
        out.putLong(pruned).putLong(prunedBytes);
        out.putLong(ghosts).putLong(ghostHits).putLong(ghostHitBytes);
        if (zombieCursor != null) {
            out.put((byte) 1);
            zombieCursor.write(out);
        }
        return out.array();
    }

    /** Whether nothing more may be added after {@code added} new entries not yet counted. */
    boolean full(int added) {
        return entryLimit != NO_LIMIT && entries + added >= entryLimit;
    }

    boolean workLeft() {
        return settlingIntents > 0 || cleanedEpoch < forgottenEpoch || zombies > 0;
    }
}
