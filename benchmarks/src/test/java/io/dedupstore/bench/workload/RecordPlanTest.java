package io.dedupstore.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.dedupstore.bench.workload.DuplicateDistribution.Bucket;
import io.dedupstore.bench.workload.Multiplicities.Multiplicity;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordPlanTest {
    private static final int RECORDS = 400_000;

    static Stream<DuplicateDistribution> distributions() {
        return DuplicateDistribution.ALL.stream();
    }

    @ParameterizedTest
    @MethodSource("distributions")
    void reachesTheDistributionAskedFor(DuplicateDistribution asked) {
        ReachedDuplicates reached = reached(plan(1, RECORDS, asked, Locality.TYPICAL), RECORDS);
        assertThat(reached.records()).isEqualTo(RECORDS);
        assertThat(reached.ratio()).isCloseTo(asked.ratio(), within(asked.ratio() * 0.003));
        for (Bucket bucket : asked.buckets()) {
            // What is too little for one content of its bucket goes to a lower one.
            assertThat(reached.shareOfRecords(bucket))
                    .as("records with %s duplicates", bucket.label())
                    .isCloseTo(bucket.shareOfRecords(), within(0.45));
            assertThat(reached.shareOfContents(bucket))
                    .as("contents with %s duplicates", bucket.label())
                    .isCloseTo(bucket.shareOfContents(), within(0.02));
        }
        double largest = (double) asked.largestCopies() / asked.records();
        if (largest > 0) {
            assertThat(reached.largestShare()).isCloseTo(largest, within(0.0001));
        }
    }

    @ParameterizedTest
    @MethodSource("distributions")
    void everySizeHasAPlan(DuplicateDistribution distribution) {
        for (int records = 1; records < 3000; records += 1 + records / 5) {
            for (Locality locality : List.of(Locality.NONE, Locality.TYPICAL)) {
                RecordPlan plan = plan(records, records, distribution, locality);
                assertThat(reached(plan, records).records()).isEqualTo(records);
            }
        }
    }

    @Test
    void neverPlacesMoreCopiesThanThereAreRecords() {
        for (DuplicateDistribution distribution : DuplicateDistribution.ALL) {
            for (long records = 1; records < 100_000_000_000L; records = records * 3 + 1) {
                List<Multiplicity> found = Multiplicities.of(distribution, records);
                assertThat(found.stream().mapToLong(m -> m.copies() * m.contents()).sum())
                        .isLessThanOrEqualTo(records);
                assertThat(found).allMatch(m -> m.copies() > 1 && m.contents() > 0);
            }
        }
    }

    @Test
    void theOrderOfQuestionsDoesNotMatter() {
        int records = 60_000;
        DuplicateDistribution kernels = DuplicateDistribution.KERNELS;
        RecordPlan plan = plan(3, records, kernels, new Locality(4, 0.5, 1000));
        List<Long> inOrder = contents(plan, records);
        RecordPlan again = plan(3, records, kernels, new Locality(4, 0.5, 1000));
        List<Integer> order = new ArrayList<>();
        for (int record = 0; record < records; record++) {
            order.add(record);
        }
        Collections.shuffle(order, new Random(1));
        for (int record : order.subList(0, 2000)) {
            assertThat(again.content(record)).isEqualTo(inOrder.get(record));
        }
    }

    @Test
    void threadsMayShareAPlan() {
        int records = 60_000;
        Locality locality = new Locality(4, 0.5, 256);
        RecordPlan plan = plan(3, records, DuplicateDistribution.KERNELS, locality);
        List<Long> together =
                IntStream.range(0, 3000)
                        .parallel()
                        .mapToObj(i -> plan.content((int) (i * 7919L % records)))
                        .toList();
        RecordPlan alone = plan(3, records, DuplicateDistribution.KERNELS, locality);
        for (int i = 0; i < together.size(); i += 3) {
            assertThat(together.get(i)).isEqualTo(alone.content((int) (i * 7919L % records)));
        }
    }

    @Test
    void contentsNeverChangeFromReleaseToRelease() {
        ByteBuffer contents = ByteBuffer.allocate(20_000 * Long.BYTES);
        RecordPlan plan =
                plan(11, 20_000, DuplicateDistribution.HIGHPERF, new Locality(4, 0.5, 1000));
        contents(plan, 20_000).forEach(contents::putLong);
        assertThat(Digests.of(contents.array())).isEqualTo("8418806cca5afa2d");
    }

    @Test
    void seedsArrangeDifferently() {
        DuplicateDistribution kernels = DuplicateDistribution.KERNELS;
        List<Long> first = contents(plan(1, 10_000, kernels, Locality.NONE), 10_000);
        List<Long> second = contents(plan(2, 10_000, kernels, Locality.NONE), 10_000);
        long same = 0;
        for (int i = 0; i < first.size(); i++) {
            same += first.get(i).equals(second.get(i)) ? 1 : 0;
        }
        // Unique records at the same place have the same number, and another seed's bytes.
        assertThat(same).isLessThan(1500);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8, 16})
    void runsAreAsLongAsAskedFor(int mean) {
        RecordPlan plan =
                plan(1, RECORDS, DuplicateDistribution.KERNELS, new Locality(mean, 0.5, 8192));
        assertThat(reached(plan, RECORDS).meanRun()).isCloseTo(mean, within(mean * 0.1));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.3, 0.8, 1})
    void duplicatesAreAsRecentAsAskedFor(double share) {
        RecordPlan plan =
                plan(1, RECORDS, DuplicateDistribution.KERNELS, new Locality(4, share, 2048));
        ReachedDuplicates reached = new ReachedDuplicates(2048);
        contents(plan, RECORDS).forEach(reached::add);
        assertThat(reached.recentShare()).isCloseTo(share, within(0.05));
    }

    @Test
    void theCommonestContentIsEverywhere() {
        RecordPlan plan = plan(1, RECORDS, DuplicateDistribution.HIGHPERF, Locality.TYPICAL);
        long hottest = StretchPlan.DUPLICATED;
        int part = RECORDS / 20;
        for (int from = 0; from < RECORDS; from += part) {
            int found = 0;
            for (int record = from; record < from + part; record++) {
                found += plan.content(record) == hottest ? 1 : 0;
            }
            assertThat((double) found / part).isCloseTo(0.1605, within(0.01));
        }
    }

    @Test
    void uniqueRecordsAreAllDifferent() {
        ReachedDuplicates reached =
                reached(plan(1, 10_000, DuplicateDistribution.UNIQUE, Locality.NONE), 10_000);
        assertThat(reached.distinct()).isEqualTo(10_000);
    }

    @Test
    void namesAreThoseOfTheDistributions() {
        for (DuplicateDistribution known : DuplicateDistribution.ALL) {
            assertThat(DuplicateDistribution.parse(known.name())).isEqualTo(known);
        }
        assertThatThrownBy(() -> DuplicateDistribution.parse("nothing"))
                .hasMessageContaining("kernels");
    }

    private static RecordPlan plan(
            long seed, long records, DuplicateDistribution distribution, Locality locality) {
        return RecordPlan.of(
                WorkloadSpec.unique(seed, 8192, records).withDuplicates(distribution, locality));
    }

    private static ReachedDuplicates reached(RecordPlan plan, int records) {
        ReachedDuplicates reached = new ReachedDuplicates(4096);
        contents(plan, records).forEach(reached::add);
        return reached;
    }

    private static List<Long> contents(RecordPlan plan, int records) {
        List<Long> contents = new ArrayList<>(records);
        for (int record = 0; record < records; record++) {
            contents.add(plan.content(record));
        }
        return contents;
    }
}
