package io.dedupstore.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.dedupstore.bench.workload.DuplicateDistribution.Bucket;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReachedDuplicatesTest {
    private static final double EXACT = 1e-9;

    @Test
    void countsContentsByTheirCopies() {
        ReachedDuplicates reached = of(10, 1, 2, 3, 1, 1, 4);
        assertThat(reached.distinct()).isEqualTo(4);
        assertThat(reached.duplicates()).isEqualTo(2);
        assertThat(reached.ratio()).isCloseTo(1.5, within(EXACT));
        assertThat(reached.largestShare()).isCloseTo(0.5, within(EXACT));
        Bucket none = new Bucket(0, 0, 0, 0);
        Bucket some = new Bucket(1, 5, 0, 0);
        assertThat(reached.shareOfContents(none)).isCloseTo(75, within(EXACT));
        assertThat(reached.shareOfRecords(none)).isCloseTo(50, within(EXACT));
        assertThat(reached.shareOfContents(some)).isCloseTo(25, within(EXACT));
        assertThat(reached.shareOfRecords(some)).isCloseTo(50, within(EXACT));
    }

    @Test
    void aRunGoesOnWhileItsOriginalDoes() {
        // 2 3 4 repeats a run, then 2 alone.
        assertThat(of(10, 1, 2, 3, 4, 2, 3, 4, 9, 2).meanRun()).isCloseTo(2, within(EXACT));
        assertThat(of(10, 1, 2, 3, 3, 2, 1).meanRun()).isCloseTo(1, within(EXACT));
        assertThat(of(10, 7, 1, 7, 7, 7).meanRun()).isCloseTo(3, within(EXACT));
    }

    @Test
    void recentIsByDistanceToTheLastCopy() {
        assertThat(of(2, 1, 2, 1, 3, 4, 1).recentShare()).isCloseTo(0.5, within(EXACT));
    }

    @Test
    void growsWithoutLosingAnything() {
        ReachedDuplicates reached = new ReachedDuplicates(10);
        int contents = 100_000;
        for (int round = 0; round < 2; round++) {
            for (long content = 0; content < contents; content++) {
                reached.add(content);
            }
        }
        assertThat(reached.distinct()).isEqualTo(contents);
        assertThat(reached.meanRun()).isCloseTo(contents, within(EXACT));
    }

    @Test
    void jsonIsWellFormed() {
        assertThat(Json.of(List.of(1, 2.5, true, "a\"\\\n", Double.NaN)))
                .isEqualTo("[1,2.5,true,\"a\\\"\\\\\\u000a\",null]");
        assertThatThrownBy(() -> Json.of(new Object()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static ReachedDuplicates of(int recent, long... contents) {
        ReachedDuplicates reached = new ReachedDuplicates(recent);
        for (long content : contents) {
            reached.add(content);
        }
        return reached;
    }
}
