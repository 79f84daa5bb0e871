package io.dedupstore.core.maintenance;

import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.spi.SlotCut;
import java.util.Arrays;
import java.util.BitSet;

/**
 * What is known of the slots of one container while it is verified: their states, who refers to
 * them and how often. The fingerprints of references are summed, so that a reference to the right
 * slot under a wrong name shows.
 */
final class SlotLedger {
    private final BitSet adopted;
    private final BitSet freed;
    private final BitSet recorded;
    private final BitSet expired;
    private final BitSet indexed = new BitSet();
    private final BitSet claimed = new BitSet();
    private final BitSet alone = new BitSet();
    private final BitSet installing = new BitSet();
    private int[] counts;
    private long[] sums;
    private int size;

    SlotLedger(SlotCut.Slots slots) {
        this.adopted = slots.adopted();
        this.freed = slots.freed();
        this.recorded = slots.recorded();
        this.expired = slots.expired();
        this.size = slots.size();
        this.counts = new int[size];
        this.sums = new long[size];
    }

    /** Slots that anything is known of. */
    int size() {
        return size;
    }

    private void reach(int slot) {
        if (slot >= counts.length) {
            int capacity = Math.max(slot + 1, counts.length + counts.length / 2);
            counts = Arrays.copyOf(counts, capacity);
            sums = Arrays.copyOf(sums, capacity);
        }
        size = Math.max(size, slot + 1);
    }

    void adopt(int[] slots) {
        for (int slot : slots) {
            reach(slot);
            adopted.set(slot);
        }
    }

    void free(int[] slots) {
        for (int slot : slots) {
            reach(slot);
            freed.set(slot);
        }
    }

    /**
     * A reference to an indexed chunk.
     *
     * @param byIntent its entry cannot have been pruned
     */
    void refer(int slot, Fingerprint fingerprint, boolean byIntent) {
        reach(slot);
        counts[slot]++;
        sums[slot] += fingerprint.w0();
        if (byIntent) {
            claimed.set(slot);
        }
    }

    /**
     * An entry.
     *
     * @return false when there was one for the slot
     */
    boolean index(int slot) {
        reach(slot);
        boolean fresh = !indexed.get(slot);
        indexed.set(slot);
        return fresh;
    }

    /**
     * A holder owns the slot by itself.
     *
     * @param mayInstall it may not have said so yet
     * @return false when another does
     */
    boolean ownAlone(int slot, boolean mayInstall) {
        reach(slot);
        boolean fresh = !alone.get(slot);
        alone.set(slot);
        if (mayInstall) {
            installing.set(slot);
        }
        return fresh;
    }

    boolean freed(int slot) {
        return freed.get(slot);
    }

    boolean adopted(int slot) {
        return adopted.get(slot) || installing.get(slot);
    }

    boolean recorded(int slot) {
        return recorded.get(slot);
    }

    boolean expired(int slot) {
        return expired.get(slot);
    }

    boolean indexed(int slot) {
        return indexed.get(slot);
    }

    boolean claimed(int slot) {
        return claimed.get(slot);
    }

    boolean alone(int slot) {
        return alone.get(slot);
    }

    /** References to the indexed chunk there. */
    int count(int slot) {
        return slot < counts.length ? counts[slot] : 0;
    }

    /** Whether all of them name this fingerprint, and there are so many. */
    boolean agrees(int slot, Fingerprint fingerprint, long references) {
        return count(slot) == references && sums[slot] == references * fingerprint.w0();
    }
}
