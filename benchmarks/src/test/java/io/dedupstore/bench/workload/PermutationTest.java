package io.dedupstore.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PermutationTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 16, 17, 1000, 65_537})
    void reachesEachNumberOnce(int size) {
        Permutation permutation = new Permutation(size, 5);
        BitSet reached = new BitSet();
        for (int i = 0; i < size; i++) {
            reached.set((int) permutation.apply(i));
        }
        assertThat(reached.cardinality()).isEqualTo(size);
        assertThat(reached.length()).isEqualTo(size);
    }

    @Test
    void staysInsideLargeSizes() {
        long size = (1L << 50) + 3;
        Permutation permutation = new Permutation(size, 5);
        for (long i = size - 1000; i < size; i++) {
            assertThat(permutation.apply(i)).isBetween(0L, size - 1);
        }
    }

    @Test
    void dependsOnItsKey() {
        int same = 0;
        for (int i = 0; i < 1000; i++) {
            if (new Permutation(1000, 1).apply(i) == new Permutation(1000, 2).apply(i)) {
                same++;
            }
        }
        assertThat(same).isLessThan(10);
    }

    @Test
    void mixingCanBeUndone() {
        Draw draw = new Draw(1);
        for (int i = 0; i < 1000; i++) {
            long value = draw.next();
            assertThat(Mixing.unmix(Mixing.mix(value))).isEqualTo(value);
        }
        assertThat(Mixing.unmix(Mixing.mix(-1))).isEqualTo(-1);
    }
}
