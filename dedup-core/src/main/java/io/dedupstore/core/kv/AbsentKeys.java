package io.dedupstore.core.kv;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Keys that a snapshot was found not to have, so that a write which follows need not search for
 * them once more: a claim of new chunks is preceded by their lookup, and asking a filter of each
 * run is half of what either costs.
 *
 * <p>A key falls on one of a fixed number of places. A place knows the last key found absent there,
 * with the sequence number of the snapshot, and the sequence number of the last write that put any
 * key that falls on it. A key is known to be absent if it is the one at its place and no put has
 * fallen there since the snapshot. That is exact, and needs no lock: whoever notes an absence late
 * notes it with an old sequence number. A deletion changes nothing.
 *
 * <p>The writer calls {@link #wrote} after each write and before it reads again; any thread may
 * note.
 */
final class AbsentKeys {
    private static final int PLACES = 1 << 15;

    private final AtomicReferenceArray<@Nullable Absent> found = new AtomicReferenceArray<>(PLACES);
    private final AtomicLongArray lastPut = new AtomicLongArray(PLACES);

    private record Absent(byte[] key, long asOf) {}

    private static int place(byte[] key) {
        int hash = Arrays.hashCode(key) * 0x9E3779B9;
        return hash >>> Integer.numberOfLeadingZeros(PLACES - 1);
    }

    /**
     * @param values what a snapshot has for {@code keys}
     * @param sequence of the snapshot
     */
    void note(List<byte[]> keys, List<byte @Nullable []> values, long sequence) {
        for (int i = 0; i < keys.size(); i++) {
            if (values.get(i) == null) {
                byte[] key = keys.get(i);
                found.set(place(key), new Absent(key.clone(), sequence));
            }
        }
    }

    /**
     * @param sequence of the store, taken after the write
     */
    void wrote(byte[] key, long sequence) {
        lastPut.set(place(key), sequence);
    }

    /** Whether the store as it is now has no such key; false where that is not known. */
    boolean has(byte[] key) {
        int place = place(key);
        Absent absent = found.get(place);
        return absent != null
                && absent.asOf() >= lastPut.get(place)
                && Arrays.equals(absent.key(), key);
    }
}
