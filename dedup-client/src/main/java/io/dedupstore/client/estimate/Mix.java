package io.dedupstore.client.estimate;

/** The finisher of splitmix64: a bijection whose bits all depend on all bits given. */
final class Mix {
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private Mix() {}

    static long mix(long value) {
        long z = value + GOLDEN;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    static long mix(long a, long b) {
        return mix(mix(a) ^ b);
    }

    static long of(String text) {
        long hash = text.length();
        for (int i = 0; i < text.length(); i++) {
            hash = mix(hash, text.charAt(i));
        }
        return hash;
    }
}
