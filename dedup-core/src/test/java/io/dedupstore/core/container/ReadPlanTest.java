package io.dedupstore.core.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReadPlanTest {
    private static SlotTable table(int records, int length) {
        SlotTable table = new SlotTable();
        for (int slot = 0; slot < records; slot++) {
            table.add(slot, 1, 4096 + (long) slot * length, length, length);
        }
        return table;
    }

    @Test
    void neighboursShareOneRead() {
        List<ReadPlan.Run> runs = ReadPlan.of(table(10, 1000), new int[] {2, 1, 3});
        assertThat(runs).hasSize(1);
        assertThat(runs.getFirst().offset()).isEqualTo(5096);
        assertThat(runs.getFirst().length()).isEqualTo(3000);
        assertThat(runs.getFirst().members()).containsExactly(1, 0, 2);
        assertThat(runs.getFirst().entries()).containsExactly(1, 2, 3);
    }

    @Test
    void smallGapsAreReadOverAndLargeOnesNot() {
        assertThat(ReadPlan.of(table(100, 32 << 10), new int[] {0, 3})).hasSize(1);
        assertThat(ReadPlan.of(table(100, 32 << 10), new int[] {0, 4})).hasSize(2);
    }

    @Test
    void noRunIsLongerThanAMebibyteButForOneRecord() {
        int[] all = new int[64];
        for (int i = 0; i < all.length; i++) {
            all[i] = i;
        }
        List<ReadPlan.Run> runs = ReadPlan.of(table(64, 65_000), all);
        assertThat(runs).allMatch(run -> run.length() <= 1 << 20);
        assertThat(runs.stream().mapToInt(run -> run.members().length).sum()).isEqualTo(64);
        assertThat(ReadPlan.of(table(2, (1 << 20) + 100), new int[] {0, 1})).hasSize(2);
    }

    @Test
    void theSameRecordTwiceIsReadOnce() {
        List<ReadPlan.Run> runs = ReadPlan.of(table(3, 1000), new int[] {1, 1});
        assertThat(runs).hasSize(1);
        assertThat(runs.getFirst().length()).isEqualTo(1000);
        assertThat(runs.getFirst().members()).containsExactly(0, 1);
    }
}
