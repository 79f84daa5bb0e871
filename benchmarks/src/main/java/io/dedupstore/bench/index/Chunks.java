package io.dedupstore.bench.index;

import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Fingerprint;
import java.util.ArrayList;
import java.util.List;

/**
 * Chunks that exist as numbers only: chunk n has a fingerprint that looks like any other, and a
 * place in a container that was filled in the order of numbers.
 */
final class Chunks {
    static final int BYTES = 8 << 10;

    /** A container of 256 MiB. */
    static final int PER_CONTAINER = 32_768;

    /** Containers of real data have small numbers. */
    private static final long FIRST_CONTAINER = 1L << 40;

    private Chunks() {}

    static Fingerprint fingerprint(long n) {
        return new Fingerprint(mix(4 * n), mix(4 * n + 1), mix(4 * n + 2), mix(4 * n + 3));
    }

    /** Fingerprints of chunks that are never stored. */
    static Fingerprint unknown(long n) {
        return fingerprint((1L << 56) + n);
    }

    private static long mix(long x) {
        long z = x * 0x9e3779b97f4a7c15L + 0x632be59bd9b4e019L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    static ChunkAddress address(long n) {
        return new ChunkAddress(
                new ContainerId(FIRST_CONTAINER + n / PER_CONTAINER), (int) (n % PER_CONTAINER));
    }

    /** Whether a container is one of these, of which no storage node knows. */
    static boolean isImaginary(ContainerId container) {
        return container.value() >= FIRST_CONTAINER;
    }

    static List<Fingerprint> fingerprints(long from, int count) {
        List<Fingerprint> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            all.add(fingerprint(from + i));
        }
        return all;
    }

    static List<ClaimItem> items(long from, int count) {
        List<ClaimItem> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            all.add(new ClaimItem(fingerprint(from + i), address(from + i), BYTES));
        }
        return all;
    }
}
