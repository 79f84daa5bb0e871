package io.dedupstore.core.model;

import java.nio.ByteBuffer;

/**
 * Sum of hashes over a multiset of references: equal multisets have equal sums, whatever the order
 * in which references came and went, and unequal ones differ but for chance. Two counters that are
 * kept on two sides of the reference protocol can so be compared at no cost.
 *
 * <p>Each reference is mixed to 128 bits (the 64-bit finalizer of MurmurHash3 with the constants of
 * Stafford's variant 13, twice); both halves are added modulo 2^64. It detects faults, not forgery.
 */
public record ReferenceSum(long high, long low) {
    public static final int BYTES = 16;
    public static final ReferenceSum ZERO = new ReferenceSum(0, 0);

    public static ReferenceSum of(ChunkReference reference) {
        return of(reference.fingerprint(), reference.address());
    }

    public static ReferenceSum of(Fingerprint fingerprint, ChunkAddress address) {
        long place = mix(address.container().value()) + address.slot();
        return new ReferenceSum(
                mix(fingerprint.w0() ^ mix(fingerprint.w1() ^ mix(place))),
                mix(fingerprint.w2() ^ mix(fingerprint.w3() ^ mix(~place))));
    }

    private static long mix(long x) {
        long z = x;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    public ReferenceSum plus(ReferenceSum o) {
        return new ReferenceSum(high + o.high, low + o.low);
    }

    public ReferenceSum minus(ReferenceSum o) {
        return new ReferenceSum(high - o.high, low - o.low);
    }

    public ReferenceSum times(long n) {
        return new ReferenceSum(high * n, low * n);
    }

    public static ReferenceSum read(ByteBuffer in) {
        return new ReferenceSum(in.getLong(), in.getLong());
    }

    public void write(ByteBuffer out) {
        out.putLong(high).putLong(low);
    }
}
