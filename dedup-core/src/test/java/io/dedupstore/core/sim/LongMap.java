package io.dedupstore.core.sim;

import java.util.Arrays;

/** From numbers to numbers, none of them negative; millions of both. */
final class LongMap {
    static final long ABSENT = -1;

    private long[] keys = new long[1 << 10];
    private long[] values = new long[1 << 10];
    private int size;

    LongMap() {
        Arrays.fill(keys, ABSENT);
    }

    int size() {
        return size;
    }

    long get(long key) {
        return values[place(keys, key)] - 1;
    }

    /** Returns whether the key is new; one that is known keeps its value. */
    boolean putIfAbsent(long key, long value) {
        int at = place(keys, key);
        if (keys[at] != ABSENT) {
            return false;
        }
        keys[at] = key;
        values[at] = value + 1;
        size++;
        if (size * 2 > keys.length) {
            grow();
        }
        return true;
    }

    private void grow() {
        long[] oldKeys = keys;
        long[] oldValues = values;
        keys = new long[2 * oldKeys.length];
        values = new long[2 * oldKeys.length];
        Arrays.fill(keys, ABSENT);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != ABSENT) {
                int at = place(keys, oldKeys[i]);
                keys[at] = oldKeys[i];
                values[at] = oldValues[i];
            }
        }
    }

    private static int place(long[] keys, long key) {
        long mixed = key * 0x9E37_79B9_7F4A_7C15L;
        int at = (int) (mixed ^ (mixed >>> 32)) & (keys.length - 1);
        while (keys[at] != ABSENT && keys[at] != key) {
            at = (at + 1) & (keys.length - 1);
        }
        return at;
    }
}
