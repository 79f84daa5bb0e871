package io.dedupstore.server.storage;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;

/**
 * Which freed slots of a container are still in their grace period. Times are rounded so that a few
 * sets do, always to the longer side. Kept in memory only: after a restart all are young again.
 */
final class YoungFrees {
    private static final int SETS_PER_GRACE = 4;

    private final long graceMillis;
    private final Deque<Batch> batches = new ArrayDeque<>();

    /** Slots freed between {@code from} and {@code until}. */
    private record Batch(long until, BitSet slots) {}

    YoungFrees(long graceMillis) {
        this.graceMillis = graceMillis;
    }

    void add(int slot, long nowMillis) {
        Batch last = batches.peekLast();
        if (last == null || nowMillis > last.until()) {
            last = new Batch(nowMillis + graceMillis / SETS_PER_GRACE, new BitSet());
            batches.add(last);
        }
        last.slots().set(slot);
    }

    /** The slots that must stay readable. */
    BitSet young(long nowMillis) {
        while (!batches.isEmpty() && nowMillis >= batches.element().until() + graceMillis) {
            batches.remove();
        }
        BitSet young = new BitSet();
        batches.forEach(batch -> young.or(batch.slots()));
        return young;
    }
}
