package io.dedupstore.client.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.chunking.ChunkingSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Data sets of many objects, a part of which is read: the truth must lie in the interval. */
class PartEstimatorTest {
    private static final int SETS = 100;
    private static final int OBJECTS = 600;
    private static final int CHUNKS = 12;

    /** What an object is made of. */
    enum Sharing {
        NONE(1.2) {
            @Override
            List<Occurrences> object(List<List<Occurrences>> before, Random random) {
                return fresh(random, CHUNKS);
            }
        },
        EACH_TWICE(2.8) {
            @Override
            List<Occurrences> object(List<List<Occurrences>> before, Random random) {
                return before.size() % 2 == 1 ? before.getLast() : fresh(random, CHUNKS);
            }
        },
        VERSIONS(2.8) {
            @Override
            List<Occurrences> object(List<List<Occurrences>> before, Random random) {
                if (before.size() % 10 == 0) {
                    return fresh(random, CHUNKS);
                }
                List<Occurrences> next = new ArrayList<>(before.getLast());
                next.set(random.nextInt(CHUNKS), fresh(random, 1).getFirst());
                return next;
            }
        },
        HALF_FROM_A_POOL(1.8) {
            @Override
            List<Occurrences> object(List<List<Occurrences>> before, Random random) {
                List<Occurrences> next = fresh(random, CHUNKS / 2);
                for (int i = CHUNKS / 2; i < CHUNKS; i++) {
                    next.add(Sharing.fromPool(random.nextInt(500)));
                }
                return next;
            }
        },
        ONE_EVERYWHERE(1.25) {
            @Override
            List<Occurrences> object(List<List<Occurrences>> before, Random random) {
                List<Occurrences> next = fresh(random, CHUNKS - 2);
                next.add(Sharing.fromPool(0));
                next.add(Sharing.fromPool(0));
                return next;
            }
        };

        /** High over low when three objects of ten are read. */
        final double widest;

        Sharing(double widest) {
            this.widest = widest;
        }

        abstract List<Occurrences> object(List<List<Occurrences>> before, Random random);

        private static Occurrences fromPool(int index) {
            return Occurrences.chunk(new Random(1_000_000 + index), 65_536);
        }

        static List<Occurrences> fresh(Random random, int count) {
            List<Occurrences> chunks = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                chunks.add(Occurrences.chunk(random, 16_384 + random.nextInt(98_304)));
            }
            return chunks;
        }
    }

    @ParameterizedTest
    @EnumSource
    void theIntervalHoldsTheTruth(Sharing sharing) {
        for (double share : new double[] {0.08, 0.3}) {
            int held = 0;
            double width = 0;
            for (int seed = 0; seed < SETS; seed++) {
                Random random = new Random(seed);
                List<List<Occurrences>> objects = objects(sharing, random);
                Range bytes = read(objects, share, 100_000, random).bytes();
                double truth = distinctBytes(objects);
                held += holds(bytes, truth) ? 1 : 0;
                width += bytes.high() / bytes.low();
            }
            assertThat((double) held / SETS).as("coverage at %s", share).isGreaterThan(0.93);
            if (share == 0.3) {
                assertThat(width / SETS).as("width").isLessThan(sharing.widest);
            }
        }
    }

    @Test
    void keepingFewOfTheChunksWidensTheInterval() {
        Random random = new Random(5);
        List<List<Occurrences>> objects = objects(Sharing.HALF_FROM_A_POOL, random);
        int held = 0;
        double many = 0;
        double few = 0;
        for (int seed = 0; seed < SETS; seed++) {
            Range all = read(objects, 0.3, 100_000, new Random(seed)).bytes();
            Range some = read(objects, 0.3, 200, new Random(seed)).bytes();
            many += Math.log(all.high() / all.low());
            few += Math.log(some.high() / some.low());
            double truth = distinctBytes(objects);
            held += holds(some, truth) ? 1 : 0;
        }
        assertThat(few).isGreaterThan(1.1 * many);
        assertThat((double) held / SETS).isGreaterThan(0.93);
    }

    @Test
    void readingNearlyAllLeavesNearlyNoDoubt() {
        Random random = new Random(6);
        List<List<Occurrences>> objects = objects(Sharing.EACH_TWICE, random);
        Range bytes = read(objects, 0.98, 100_000, random).bytes();
        assertThat(bytes.high() / bytes.low()).isLessThan(1.05);
        assertThat(distinctBytes(objects)).isBetween(bytes.low(), bytes.high());
    }

    @Test
    void whenNothingWasReadAnythingIsPossible() {
        SpecTally tally = new SpecTally(ChunkingSpec.DEFAULT, new DistinctSample(100, 100, true));
        Range bytes = PartEstimator.estimate(tally.sample(), tally.totals(), 1_000).bytes();
        assertThat(bytes.low()).isZero();
        assertThat(bytes.high()).isEqualTo(1_000);
    }

    @Test
    void aSinglePieceTellsAboutItselfOnly() {
        Random random = new Random(7);
        SpecTally tally = new SpecTally(ChunkingSpec.DEFAULT, new DistinctSample(100, 100, true));
        Visit visit = new Visit(0, 1, 3);
        long read = 0;
        for (Occurrences chunk : Sharing.fresh(random, 10)) {
            chunk.addTo(tally.sample(), visit);
            tally.addChunks(3, 1, chunk.length());
            read += chunk.length();
        }
        tally.addPiece(read);
        Range bytes = PartEstimator.estimate(tally.sample(), tally.totals(), 20 * read).bytes();
        assertThat(bytes.low()).isEqualTo(read);
        assertThat(bytes.high()).isEqualTo(20 * read);
    }

    @Test
    void zerosAloneAreEstimatedAsNoUniqueBytes() {
        SpecTally tally = new SpecTally(ChunkingSpec.DEFAULT, new DistinctSample(100, 100, true));
        for (int group = 0; group < Sampling.GROUPS; group++) {
            tally.addChunks(group, 1, 100);
            tally.addZero(group, 100);
        }
        Distinct found = PartEstimator.estimate(tally.sample(), tally.totals(), 10_000);
        assertThat(found.bytes().high()).isZero();
        assertThat(found.zeroBytes()).isEqualTo(Range.exactly(10_000));
    }

    /** But for what floating point rounds. */
    private static boolean holds(Range range, double truth) {
        return range.low() <= truth * 1.000_001 && truth <= range.high() * 1.000_001;
    }

    private static List<List<Occurrences>> objects(Sharing sharing, Random random) {
        List<List<Occurrences>> objects = new ArrayList<>();
        for (int i = 0; i < OBJECTS; i++) {
            objects.add(sharing.object(objects, random));
        }
        return objects;
    }

    private static Distinct read(
            List<List<Occurrences>> objects, double share, int capacity, Random random) {
        SpecTally tally =
                new SpecTally(ChunkingSpec.DEFAULT, new DistinctSample(capacity, capacity, true));
        long population = 0;
        int number = 0;
        // Chunks are kept by a hash of their own in each run, as another seed would have it.
        long salt = random.nextLong();
        for (List<Occurrences> object : objects) {
            population += object.stream().mapToLong(Occurrences::length).sum();
            if (random.nextDouble() >= share) {
                continue;
            }
            Visit visit = new Visit(0, ++number, random.nextInt(Sampling.GROUPS));
            for (Occurrences chunk : object) {
                new Occurrences(chunk.name(), Mix.mix(salt, chunk.hash()), chunk.length())
                        .addTo(tally.sample(), visit);
                tally.addChunks(visit.group(), 1, chunk.length());
            }
            tally.addPiece(object.stream().mapToLong(Occurrences::length).sum());
        }
        return PartEstimator.estimate(tally.sample(), tally.totals(), population);
    }

    private static double distinctBytes(List<List<Occurrences>> objects) {
        Set<Occurrences> distinct = new HashSet<>();
        objects.forEach(distinct::addAll);
        return distinct.stream().mapToDouble(Occurrences::length).sum();
    }
}
