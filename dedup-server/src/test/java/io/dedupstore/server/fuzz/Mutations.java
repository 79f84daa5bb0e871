package io.dedupstore.server.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Damages inputs that are right, from a seed, and gives them to what must survive every input. The
 * same seed gives the same inputs; a failure prints both. For coverage-guided runs the same targets
 * go to Jazzer, see {@code docs/fuzzing.md}.
 */
final class Mutations {
    private static final int MAX_BYTES = 64 << 10;
    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final byte[][] WORDS =
            words(
                    "\r\n",
                    "\n",
                    "\0",
                    "--",
                    "=",
                    "&",
                    "?",
                    "/",
                    "%",
                    "%2",
                    "%00",
                    "+",
                    ";",
                    ":",
                    ",",
                    " ",
                    "\"",
                    "\\",
                    "<",
                    ">",
                    "</",
                    "<!DOCTYPE a [",
                    "<!ENTITY x \"y\">",
                    "&#0;",
                    "&lt;",
                    "]]>",
                    "<![CDATA[",
                    "{",
                    "}",
                    "[",
                    "]",
                    "[[[[[[[[",
                    "$",
                    "0",
                    "-1",
                    "9223372036854775808",
                    "ffffffffffffffff",
                    "1e999",
                    "\uFFFF",
                    "é",
                    "true");

    private Mutations() {}

    private static byte[][] words(String... words) {
        return Arrays.stream(words)
                .map(word -> word.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
    }

    /**
     * @param target throws nothing but what it must not
     */
    static void run(long seed, int rounds, List<byte[]> corpus, Consumer<byte[]> target) {
        SplittableRandom random = new SplittableRandom(seed);
        corpus.forEach(target);
        for (int round = 0; round < rounds; round++) {
            byte[] input = corpus.get(random.nextInt(corpus.size()));
            int changes = 1 + random.nextInt(6);
            for (int i = 0; i < changes; i++) {
                input = mutate(input, corpus, random);
            }
            long start = System.nanoTime();
            try {
                target.accept(input);
            } catch (Throwable e) {
                throw new AssertionError(
                        "seed %d, round %d, input %s"
                                .formatted(seed, round, HexFormat.of().formatHex(input)),
                        e);
            }
            assertThat(System.nanoTime() - start)
                    .as("nanoseconds of seed %d, round %d", seed, round)
                    .isLessThan(SLOW_NANOS);
        }
    }

    private static byte[] mutate(byte[] input, List<byte[]> corpus, SplittableRandom random) {
        int at = input.length == 0 ? 0 : random.nextInt(input.length + 1);
        int length = Math.min(input.length - at, 1 + random.nextInt(16));
        return switch (random.nextInt(7)) {
            case 0 -> replaced(input, at, length, bytes(random, length));
            case 1 -> replaced(input, at, 0, WORDS[random.nextInt(WORDS.length)]);
            case 2 -> replaced(input, at, length, new byte[0]);
            case 3 -> replaced(input, at, 0, Arrays.copyOfRange(input, at, at + length));
            case 4 -> replaced(input, at, length, WORDS[random.nextInt(WORDS.length)]);
            case 5 -> Arrays.copyOf(input, at);
            default -> {
                byte[] other = corpus.get(random.nextInt(corpus.size()));
                int from = other.length == 0 ? 0 : random.nextInt(other.length);
                yield replaced(input, at, length, Arrays.copyOfRange(other, from, other.length));
            }
        };
    }

    private static byte[] bytes(SplittableRandom random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] replaced(byte[] input, int at, int length, byte[] by) {
        List<byte[]> pieces = new ArrayList<>();
        pieces.add(Arrays.copyOf(input, at));
        pieces.add(by);
        pieces.add(Arrays.copyOfRange(input, at + length, input.length));
        int total = Math.min(MAX_BYTES, pieces.stream().mapToInt(piece -> piece.length).sum());
        byte[] all = new byte[total];
        int filled = 0;
        for (byte[] piece : pieces) {
            int count = Math.min(piece.length, total - filled);
            System.arraycopy(piece, 0, all, filled, count);
            filled += count;
        }
        return all;
    }
}
