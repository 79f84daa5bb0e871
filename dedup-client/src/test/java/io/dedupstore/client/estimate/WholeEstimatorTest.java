package io.dedupstore.client.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dedupstore.core.chunking.ChunkingSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Against brute force: the made-up data sets are small enough to know the truth of. */
class WholeEstimatorTest {
    private static final int SETS = 200;
    private static final int DISTINCT = 3_000;
    private static final int CAPACITY = 300;

    /** How often each distinct chunk occurs. */
    enum Repetition {
        ALL_UNIQUE {
            @Override
            int times(Random random, int index) {
                return 1;
            }
        },
        ALL_TWICE {
            @Override
            int times(Random random, int index) {
                return 2;
            }
        },
        GEOMETRIC {
            @Override
            int times(Random random, int index) {
                int times = 1;
                while (times < 1_000 && random.nextInt(3) > 0) {
                    times++;
                }
                return times;
            }
        },
        ZIPF {
            @Override
            int times(Random random, int index) {
                return 1 + 2_000 / (index + 1);
            }
        },
        ONE_HOT {
            @Override
            int times(Random random, int index) {
                return index == 0 ? DISTINCT / 5 : 1;
            }
        };

        abstract int times(Random random, int index);
    }

    private record Known(double bytes, double compressed, SpecTally tally) {
        Distinct estimate() {
            return WholeEstimator.estimate(tally.sample(), tally.totals());
        }
    }

    @ParameterizedTest
    @EnumSource
    void theIntervalHoldsTheTruthNineteenTimesInTwenty(Repetition repetition) {
        int held = 0;
        int heldCompressed = 0;
        double error = 0;
        double width = 0;
        for (int seed = 0; seed < SETS; seed++) {
            Known known = known(repetition, seed, CAPACITY);
            Distinct found = known.estimate();
            held += holds(found.bytes(), known.bytes()) ? 1 : 0;
            heldCompressed += holds(found.compressed(), known.compressed()) ? 1 : 0;
            error += found.bytes().value() / known.bytes() - 1;
            width += (found.bytes().high() - found.bytes().low()) / known.bytes();
        }
        // 200 trials: 3.5 standard deviations of a true 95 % are 5.4 %.
        assertThat((double) held / SETS).as("coverage").isGreaterThan(0.895);
        assertThat((double) heldCompressed / SETS)
                .as("coverage after compression")
                .isGreaterThan(0.895);
        // There can't be more distinct bytes than bytes: that cuts errors of all-unique data in
        // half.
        double expected = repetition == Repetition.ALL_UNIQUE ? -0.03 : 0;
        assertThat(error / SETS).as("bias").isCloseTo(expected, within(0.02));
        assertThat(width / SETS).as("width").isBetween(0.05, 0.35);
    }

    @Test
    void theIntervalIsNotWiderThanItHasToBe() {
        int held = 0;
        for (int seed = 0; seed < SETS; seed++) {
            Known known = known(Repetition.GEOMETRIC, 10_000 + seed, CAPACITY);
            Range bytes = known.estimate().bytes();
            double half = (bytes.high() - bytes.value()) / 2;
            held += Math.abs(bytes.value() - known.bytes()) <= half ? 1 : 0;
        }
        // Half the width holds a normal error two times in three.
        assertThat((double) held / SETS).isBetween(0.55, 0.80);
    }

    @Test
    void aSampleOfEverythingIsExact() {
        Known known = known(Repetition.ZIPF, 1, DISTINCT);
        Distinct found = known.estimate();
        assertThat(found.bytes()).isEqualTo(Range.exactly(known.bytes()));
        assertThat(found.count()).isEqualTo(DISTINCT);
        assertThat(found.compressed().value()).isCloseTo(known.compressed(), within(1.0));
    }

    @Test
    void nothingIsEstimatedAsNothing() {
        SpecTally tally = new SpecTally(ChunkingSpec.DEFAULT, new DistinctSample(10, 10, false));
        Distinct found = WholeEstimator.estimate(tally.sample(), tally.totals());
        assertThat(found.bytes()).isEqualTo(Range.exactly(0));
        assertThat(found.compressed()).isEqualTo(Range.exactly(0));
    }

    private static boolean holds(Range range, double truth) {
        return range.low() <= truth && truth <= range.high();
    }

    private static Known known(Repetition repetition, long seed, int capacity) {
        Random random = new Random(seed);
        SpecTally tally =
                new SpecTally(ChunkingSpec.DEFAULT, new DistinctSample(capacity, capacity, false));
        double bytes = 0;
        double compressed = 0;
        List<Occurrences> chunks = new ArrayList<>();
        for (int i = 0; i < DISTINCT; i++) {
            // Lengths as content-defined chunking gives them, roughly.
            int length = 16_384 + (int) Math.min(245_760, -49_152 * Math.log(random.nextDouble()));
            chunks.add(Occurrences.chunk(random, length));
            bytes += length;
            compressed += chunks.getLast().compressedLength();
        }
        for (int i = 0; i < DISTINCT; i++) {
            Occurrences chunk = chunks.get(i);
            int times = repetition.times(random, i);
            for (int n = 0; n < times; n++) {
                chunk.addTo(tally.sample(), Occurrences.ONLY_VISIT);
            }
            tally.addChunks(0, times, (long) times * chunk.length());
        }
        return new Known(bytes, compressed, tally);
    }
}
