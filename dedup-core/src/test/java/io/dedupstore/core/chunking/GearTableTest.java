package io.dedupstore.core.chunking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GearTableTest {
    private static final long SEED = 20261105;

    @Test
    void eachKeyHasATableOfItsOwnWhichIsStable() {
        SplittableRandom random = new SplittableRandom(SEED);
        Set<Long> ids = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            byte[] key = new byte[32];
            random.nextBytes(key);
            GearTable table = GearTable.derive(key);
            assertThat(GearTable.derive(key)).isEqualTo(table);
            assertThat(GearAcceptance.accepts(table.seed(), table.table())).isTrue();
            ids.add(table.id());
        }
        assertThat(ids).hasSize(20);
    }

    @Test
    void runsAndShortPeriodsOfFillersAreCutAtTheMaximumOnly() {
        GearTable table = GearTable.derive(new byte[32]);
        Chunker chunker = new JavaGearChunker(ChunkingSpec.Cdc.ofAverage(8 << 10), table);
        byte[][] periods = {
            {0}, {-1}, {' '}, {0, -1}, {0, 0, ' '}, {-1, 0, 0, 0, 0, 0, ' ', 0}, {'x'}
        };
        for (byte[] period : periods) {
            byte[] bytes = new byte[256 << 10];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = period[i % period.length];
            }
            int[] lengths = new int[100];
            assertThat(chunker.cuts(TestBytes.direct(bytes), true, lengths)).isEqualTo(8);
        }
    }

    @Test
    void dependentColumnsAreRefused() {
        int[] seed = {1, 2, 4, 8, 16, 32, 64, 67, 12345};
        assertThat(GearAcceptance.isInjective(seed)).isFalse();
        seed[7] = 128;
        assertThat(GearAcceptance.isInjective(seed)).isTrue();
    }

    @Test
    void aKeyOfAnotherLengthIsRefused() {
        assertThatThrownBy(() -> GearTable.derive(new byte[31]))
                .isInstanceOf(ChunkingException.class)
                .hasMessageContaining("32");
    }
}
