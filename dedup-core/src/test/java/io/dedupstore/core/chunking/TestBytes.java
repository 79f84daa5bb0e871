package io.dedupstore.core.chunking;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;

/** Inputs that chunkers are tried on. */
final class TestBytes {
    private TestBytes() {}

    enum Kind {
        RANDOM,
        TEXT,
        ZERO,
        PERIODIC,
        SPARSE
    }

    static byte[] of(Kind kind, int length, RandomGenerator random) {
        byte[] bytes = new byte[length];
        switch (kind) {
            case RANDOM -> random.nextBytes(bytes);
            case TEXT -> fillText(bytes, random);
            case ZERO -> {}
            case PERIODIC -> fillPeriodic(bytes, random);
            case SPARSE -> {
                for (int i = 0; i < length; i += 1 + random.nextInt(32)) {
                    bytes[i] = (byte) random.nextInt();
                }
            }
        }
        return bytes;
    }

    private static void fillText(byte[] bytes, RandomGenerator random) {
        byte[] words =
                "lorem ipsum dolor sit amet 0123456789\n".getBytes(StandardCharsets.US_ASCII);
        int at = 0;
        while (at < bytes.length) {
            int from = random.nextInt(words.length);
            int n = Math.min(1 + random.nextInt(words.length - from), bytes.length - at);
            System.arraycopy(words, from, bytes, at, n);
            at += n;
        }
    }

    private static void fillPeriodic(byte[] bytes, RandomGenerator random) {
        byte[] period = new byte[1 + random.nextInt(64)];
        random.nextBytes(period);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = period[i % period.length];
        }
    }

    /** Sebastiano Vigna's splitmix64, as little-endian words: what golden files are made from. */
    static byte[] splitMix(long seed, int length) {
        ByteBuffer words = ByteBuffer.allocate((length + 7) / 8 * 8).order(ByteOrder.LITTLE_ENDIAN);
        long state = seed;
        while (words.hasRemaining()) {
            state += 0x9e3779b97f4a7c15L;
            long z = state;
            z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
            z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
            words.putLong(z ^ z >>> 31);
        }
        return java.util.Arrays.copyOf(words.array(), length);
    }

    static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }
}
