package io.dedupstore.core.chunking;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChunkerTest {
    private static final long SEED = 20261104;
    private static final GearTable TABLE = GearTable.derive(new byte[32]);
    private static final List<ChunkingSpec> SPECS =
            List.of(
                    ChunkingSpec.parse("cdc:8k"),
                    ChunkingSpec.parse("cdc:16k"),
                    ChunkingSpec.parse("cdc:32k"),
                    ChunkingSpec.parse("cdc:64k"),
                    ChunkingSpec.Cdc.ofAverage(256 << 10),
                    ChunkingSpec.parse("fixed:4k"),
                    ChunkingSpec.parse("fixed:128k"));

    private static List<Chunker> twins(ChunkingSpec spec) {
        return switch (spec) {
            case ChunkingSpec.Fixed fixed -> List.of(new FixedChunker(fixed));
            case ChunkingSpec.Cdc cdc -> Chunker.drivers(cdc, TABLE).reversed();
        };
    }

    private static List<Integer> cutsAtOnce(Chunker chunker, byte[] bytes) {
        int[] lengths = new int[bytes.length / 1024 + 2];
        int n = chunker.cuts(TestBytes.direct(bytes), true, lengths);
        return Arrays.stream(lengths, 0, n).boxed().toList();
    }

    /** Fills a window in random steps, as a network does, and consumes what has been cut. */
    private static List<Integer> cutsInWindows(
            Chunker chunker, byte[] bytes, RandomGenerator random) {
        List<Integer> cuts = new ArrayList<>();
        ByteBuffer window =
                ByteBuffer.allocateDirect(chunker.maxChunkLength() + random.nextInt(1 << 19));
        int read = 0;
        int[] lengths = new int[1 + random.nextInt(20)];
        while (read < bytes.length || window.position() > 0) {
            int step = Math.min(bytes.length - read, random.nextInt(window.remaining() + 1));
            window.put(bytes, read, step);
            read += step;
            boolean full = !window.hasRemaining();
            window.flip();
            int n = chunker.cuts(window, read == bytes.length, lengths);
            assertThat(full && n == 0).as("a full window is always cut").isFalse();
            for (int i = 0; i < n; i++) {
                cuts.add(lengths[i]);
                window.position(window.position() + lengths[i]);
            }
            window.compact();
        }
        return cuts;
    }

    @ParameterizedTest
    @EnumSource(TestBytes.Kind.class)
    void twinsAndWindowsGiveTheSameCuts(TestBytes.Kind kind) {
        RandomGenerator random = new SplittableRandom(SEED);
        for (ChunkingSpec spec : SPECS) {
            for (int round = 0; round < 3; round++) {
                byte[] bytes = TestBytes.of(kind, random.nextInt(2 << 20), random);
                List<Integer> wanted = cutsAtOnce(twins(spec).getFirst(), bytes);
                for (Chunker chunker : twins(spec)) {
                    String what =
                            "%s %s %s round %d seed %d"
                                    .formatted(spec, chunker.driverName(), kind, round, SEED);
                    assertThat(cutsAtOnce(chunker, bytes)).as(what).isEqualTo(wanted);
                    assertThat(cutsInWindows(chunker, bytes, random)).as(what).isEqualTo(wanted);
                }
                checkLengths(spec, wanted, bytes.length);
            }
        }
    }

    private static void checkLengths(ChunkingSpec spec, List<Integer> cuts, int total) {
        assertThat(cuts.stream().mapToInt(Integer::intValue).sum()).isEqualTo(total);
        for (int i = 0; i < cuts.size(); i++) {
            int least =
                    i == cuts.size() - 1
                            ? 1
                            : switch (spec) {
                                case ChunkingSpec.Cdc cdc -> cdc.min();
                                case ChunkingSpec.Fixed fixed -> fixed.size();
                            };
            assertThat(cuts.get(i)).isBetween(least, spec.maxChunkLength());
        }
    }

    @Test
    void windowKeepsItsPositionAndLimitAndMayBeAnyBuffer() {
        byte[] bytes = TestBytes.of(TestBytes.Kind.RANDOM, 1 << 20, new SplittableRandom(SEED));
        for (ChunkingSpec spec : SPECS) {
            for (Chunker chunker : twins(spec)) {
                int[] direct = new int[400];
                int[] heap = new int[400];
                ByteBuffer window = TestBytes.direct(bytes).position(1000).limit(bytes.length - 77);
                int n = chunker.cuts(window, true, direct);
                assertThat(window.position()).isEqualTo(1000);
                assertThat(window.limit()).isEqualTo(bytes.length - 77);
                ByteBuffer other = ByteBuffer.wrap(bytes, 1000, bytes.length - 1077).slice();
                assertThat(chunker.cuts(other, true, heap)).isEqualTo(n);
                assertThat(heap).isEqualTo(direct);
            }
        }
    }

    @Test
    void anInsertedByteMovesOnlyNearbyCuts() {
        RandomGenerator random = new SplittableRandom(SEED);
        byte[] before = TestBytes.of(TestBytes.Kind.RANDOM, 8 << 20, random);
        byte[] after = new byte[before.length + 1];
        System.arraycopy(before, 0, after, 1, before.length);
        Chunker chunker = Chunker.of(ChunkingSpec.parse("cdc:16k"), TABLE);
        List<Integer> a = cutsAtOnce(chunker, before);
        List<Integer> b = cutsAtOnce(chunker, after);
        int same = 0;
        while (same < Math.min(a.size(), b.size())
                && a.get(a.size() - 1 - same).equals(b.get(b.size() - 1 - same))) {
            same++;
        }
        assertThat(same).isGreaterThan(a.size() - 20);
        int average = before.length / a.size();
        assertThat(average).isBetween(14 << 10, 22 << 10);
    }

    @Test
    void nothingIsCutFromNothing() {
        for (ChunkingSpec spec : SPECS) {
            for (Chunker chunker : twins(spec)) {
                ByteBuffer empty = ByteBuffer.allocateDirect(0);
                assertThat(chunker.cuts(empty, true, new int[4])).isZero();
                assertThat(chunker.cuts(ByteBuffer.allocateDirect(9), true, new int[0])).isZero();
                assertThat(chunker.cuts(ByteBuffer.allocateDirect(100), false, new int[4]))
                        .isZero();
            }
        }
    }
}
