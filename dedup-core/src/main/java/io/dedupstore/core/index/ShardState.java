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

    /** The same with one byte more; only while the shard is being rebuilt. */
    private static final byte REBUILDING_VERSION = 2;

    private static final int BYTES = 1 + 3 * 4 + 8 + 4 + 12 * 8 + 1 + Fingerprint.BYTES;

    /** How far a rebuild is; the number is part of the format. */
    enum Rebuild {
        NONE(0),
        /** What there was is thrown away. */
        WIPING(1),
        /** What manifests say comes in. */
        FILLING(2);

        private final int number;

        Rebuild(int number) {
            this.number = number;
        }

        private static Rebuild ofNumber(int number) {
            for (Rebuild rebuild : values()) {
                if (rebuild.number == number) {
                    return rebuild;
                }
            }
            throw new IllegalStateException("unknown state " + number + " of a rebuild");
        }
    }

    Rebuild rebuild = Rebuild.NONE;

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
        boolean known =
                version == VERSION && row.length == BYTES
                        || version == REBUILDING_VERSION && row.length == BYTES + 1;
        if (!known) {
            throw new IllegalStateException(
                    "the index shard's state has format version "
                            + version
                            + ", this release reads up to "
                            + REBUILDING_VERSION
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
        rebuild = in.hasRemaining() ? Rebuild.ofNumber(in.get()) : Rebuild.NONE;
    }

    void save(KvTransaction rows) {
        byte[] now = toBytes();
        if (!Arrays.equals(now, before)) {
            rows.put(IndexTables.STATE, key, now);
        }
    }

    private byte[] toBytes() {
        boolean rebuilding = rebuild != Rebuild.NONE;
        ByteBuffer out = ByteBuffer.allocate(rebuilding ? BYTES + 1 : BYTES);
        out.put(rebuilding ? REBUILDING_VERSION : VERSION);
        out.putInt(refusedEpoch).putInt(forgottenEpoch).putInt(cleanedEpoch);
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
        if (rebuilding) {
            out.put(BYTES, (byte) rebuild.number);
        }
        return out.array();
    }

    /** Whether nothing more may be added after {@code added} new entries not yet counted. */
    boolean full(int added) {
        return entryLimit != NO_LIMIT && entries + added >= entryLimit;
    }

    /** Everything but epochs and limits is gone: the shard may be filled. */
    void wiped() {
        rebuild = Rebuild.FILLING;
        entries = 0;
        zombies = 0;
        zombieBytes = 0;
        openIntents = 0;
        settlingIntents = 0;
        unreadable = 0;
        anomalies = 0;
        pruned = 0;
        prunedBytes = 0;
        ghosts = 0;
        zombieCursor = null;
        cleanedEpoch = forgottenEpoch;
    }

    boolean workLeft() {
        if (rebuild != Rebuild.NONE) {
            return rebuild == Rebuild.WIPING;
        }
        return settlingIntents > 0 || cleanedEpoch < forgottenEpoch || zombies > 0;
    }
}
