package io.dedupstore.core.container;

import java.util.Arrays;

/**
 * Where the records of one container are: 20 bytes for each. One thread at a time appends, any
 * number read beside it; an entry is seen whole or not at all.
 */
public final class SlotTable {
    private static final int FIRST_CAPACITY = 64;
    private static final int UNIT_SHIFT = 3;

    private volatile Columns columns;
    private volatile int count;

    /** Columns are written behind {@code count} only, and published by it. */
    private record Columns(int[] slots, int[] epochs, int[] units, int[] lengths, int[] plain) {
        Columns(int capacity) {
            this(
                    new int[capacity],
                    new int[capacity],
                    new int[capacity],
                    new int[capacity],
                    new int[capacity]);
        }

        Columns grown(int capacity) {
            return new Columns(
                    Arrays.copyOf(slots, capacity),
                    Arrays.copyOf(epochs, capacity),
                    Arrays.copyOf(units, capacity),
                    Arrays.copyOf(lengths, capacity),
                    Arrays.copyOf(plain, capacity));
        }
    }

    public SlotTable() {
        this(FIRST_CAPACITY);
    }

    SlotTable(int capacity) {
        this.columns = new Columns(Math.max(1, capacity));
    }

    /** Adds a record; slots ascend. */
    void add(int slot, int epoch, long offset, int recordLength, int plainLength) {
        int n = count;
        Columns c = columns;
        if (n > 0 && c.slots[n - 1] >= slot) {
            throw new IllegalArgumentException(
                    "slot " + slot + " after " + c.slots[n - 1] + ": slots ascend");
        }
        if (n == c.slots.length) {
            c = c.grown(n * 2);
            columns = c;
        }
        c.slots[n] = slot;
        c.epochs[n] = epoch;
        c.units[n] = Math.toIntExact(offset >>> UNIT_SHIFT);
        c.lengths[n] = recordLength;
        c.plain[n] = plainLength;
        count = n + 1;
    }

    /** Forgets all entries behind the first {@code size}. */
    void cut(int size) {
        count = Math.min(count, size);
    }

    public int size() {
        return count;
    }

    /** Index of a slot's entry, negative when there is none. */
    public int find(int slot) {
        int n = count;
        int[] slots = columns.slots;
        // Nearly always nothing is missing before it.
        if (slot < n && slots[slot] == slot) {
            return slot;
        }
        return Arrays.binarySearch(slots, 0, n, slot);
    }

    public int slot(int index) {
        return columns.slots[index];
    }

    public int epoch(int index) {
        return columns.epochs[index];
    }

    public long offset(int index) {
        return (long) columns.units[index] << UNIT_SHIFT;
    }

    public int recordLength(int index) {
        return columns.lengths[index];
    }

    public int plainLength(int index) {
        return columns.plain[index];
    }

    /** Memory it takes, approximately. */
    public long memoryBytes() {
        return 128 + 20L * columns.slots.length;
    }
}
