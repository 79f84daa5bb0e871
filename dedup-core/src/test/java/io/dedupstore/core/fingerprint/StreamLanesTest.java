package io.dedupstore.core.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class StreamLanesTest {
    private static final int SEGMENT = StreamLanes.SEGMENT_BLOCKS;
    private static final long SEED = 20261121;

    private static int[] cut(int lanes, boolean more, int... blocks) {
        int[] rows = blocks.clone();
        StreamLanes.cut(rows, lanes, more);
        return rows;
    }

    @Test
    void aStreamRunsASegmentAtMost() {
        assertThat(cut(16, false, 10 * SEGMENT)).containsExactly(SEGMENT);
        assertThat(cut(16, true, 10 * SEGMENT)).containsExactly(SEGMENT);
        assertThat(cut(16, false, 5, 0, SEGMENT + 1)).containsExactly(5, 0, SEGMENT);
    }

    @Test
    void whereOthersWaitAllLanesEndTogether() {
        assertThat(cut(2, true, 500, 900)).containsExactly(500, 500);
        assertThat(cut(2, true, 300, 900, 400)).containsExactly(300, 700, 400);
    }

    @Test
    void aTinyRowDoesNotMakeTheCallTiny() {
        int least = StreamLanes.LEAST_BLOCKS;
        assertThat(cut(2, true, 1, 900)).containsExactly(1, least);
    }

    @Test
    void noLaneRunsLongerThanASegmentAndNoRowGrows() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int round = 0; round < 2000; round++) {
            int[] before = random.ints(1 + random.nextInt(64), 0, 3 * SEGMENT).toArray();
            int lanes = 1 + random.nextInt(32);
            int[] rows = cut(lanes, random.nextBoolean(), before);
            long[] ends = new long[lanes];
            for (int i = 0; i < rows.length; i++) {
                assertThat(rows[i]).as("seed %d", SEED).isBetween(0, before[i]);
                Arrays.sort(ends);
                ends[0] += rows[i];
            }
            assertThat(Arrays.stream(rows).sum() > 0 || Arrays.stream(before).sum() == 0).isTrue();
            assertThat(Arrays.stream(rows).max().orElse(0)).isLessThanOrEqualTo(SEGMENT);
            assertThat(Arrays.stream(ends).max().orElse(0)).isLessThanOrEqualTo(SEGMENT);
        }
    }
}
