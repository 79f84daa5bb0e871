package io.dedupstore.core.kv;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AbsentKeysTest {
    private static final byte[] KEY = "key".getBytes(StandardCharsets.UTF_8);

    private final AbsentKeys absent = new AbsentKeys();

    private void noteAbsent(long sequence) {
        absent.note(List.of(KEY), Collections.nCopies(1, (byte @Nullable []) null), sequence);
    }

    @Test
    void whatASnapshotDidNotHaveIsKnownToBeAbsent() {
        assertThat(absent.has(KEY)).isFalse();
        noteAbsent(7);
        assertThat(absent.has(KEY.clone())).isTrue();
        assertThat(absent.has("other".getBytes(StandardCharsets.UTF_8))).isFalse();
    }

    @Test
    void whatASnapshotHadIsNotKnown() {
        absent.note(List.of(KEY), List.of(KEY), 7);
        assertThat(absent.has(KEY)).isFalse();
    }

    @Test
    void aPutEndsItHoweverLateTheOldSnapshotIsRead() {
        noteAbsent(7);
        absent.wrote(KEY, 8);
        assertThat(absent.has(KEY)).isFalse();
        noteAbsent(7);
        assertThat(absent.has(KEY)).isFalse();
        noteAbsent(8);
        assertThat(absent.has(KEY)).as("deleted since").isTrue();
    }

    @Test
    void aPutOfAnotherKeyAtTheSamePlaceIsTakenForOne() {
        noteAbsent(7);
        byte[] other = KEY;
        for (int i = 0; absent.has(KEY); i++) {
            other = Integer.toString(i).getBytes(StandardCharsets.UTF_8);
            absent.wrote(other, 8);
        }
        assertThat(other).isNotEqualTo(KEY);
    }

    @Test
    void arraysAreNotRetained() {
        byte[] mine = KEY.clone();
        absent.note(List.of(mine), Collections.nCopies(1, (byte @Nullable []) null), 7);
        mine[0]++;
        assertThat(absent.has(mine)).isFalse();
        assertThat(absent.has(KEY)).isTrue();
    }
}
