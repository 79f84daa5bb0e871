package io.dedupstore.client.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DistinctSampleTest {
    private static final int CAPACITY = 256;

    @Test
    void upToItsCapacityAllIsKeptAndNothingIsLost() {
        DistinctSample sample = new DistinctSample(CAPACITY, 16, false);
        Random random = new Random(1);
        List<Occurrences> chunks = chunks(random, CAPACITY);
        for (int round = 0; round < 3; round++) {
            chunks.forEach(chunk -> chunk.addTo(sample, Occurrences.ONLY_VISIT));
        }
        assertThat(sample.level()).isZero();
        assertThat(sample.size()).isEqualTo(CAPACITY);
        assertThat(sample.probability()).isEqualTo(1.0);
    }

    @Test
    void itNeverHoldsMoreThanItsCapacityAndStaysAtLeastAQuarterFull() {
        DistinctSample sample = new DistinctSample(CAPACITY, 32, false);
        Random random = new Random(2);
        for (int i = 0; i < 200_000; i++) {
            Occurrences.chunk(random, 10).addTo(sample, Occurrences.ONLY_VISIT);
            assertThat(sample.size()).isLessThanOrEqualTo(CAPACITY);
        }
        assertThat(sample.size()).isGreaterThan(CAPACITY / 4);
        assertThat(sample.chunks().stream().filter(SampledChunk::isCompressed).count())
                .isBetween(8L, 32L);
        assertThat(sample.compressedProbability()).isLessThan(sample.probability());
    }

    @Test
    void whatIsKeptDoesNotDependOnOrderOrRepetition() {
        Random random = new Random(3);
        List<Occurrences> chunks = chunks(random, 5_000);
        DistinctSample forwards = new DistinctSample(CAPACITY, 16, false);
        chunks.forEach(chunk -> chunk.addTo(forwards, Occurrences.ONLY_VISIT));
        DistinctSample backwards = new DistinctSample(CAPACITY, 16, false);
        List<Occurrences> reversed = new ArrayList<>(chunks.reversed());
        reversed.addAll(chunks.subList(0, 2_000));
        reversed.forEach(chunk -> chunk.addTo(backwards, Occurrences.ONLY_VISIT));
        assertThat(hashes(backwards)).isEqualTo(hashes(forwards)).isNotEmpty();
        assertThat(backwards.level()).isEqualTo(forwards.level());
    }

    @Test
    void aPieceCountsOnceHoweverOftenItHasTheChunkAndHoweverWorkersTakeTurns() {
        DistinctSample sample = new DistinctSample(CAPACITY, 16, true);
        Occurrences chunk = Occurrences.chunk(new Random(4), 10);
        Visit first = new Visit(0, 1, 7);
        Visit second = new Visit(1, 1, 9);
        Visit third = new Visit(0, 2, 7);
        for (Visit visit : List.of(first, second, first, second, second, third, second, third)) {
            chunk.addTo(sample, visit);
        }
        SampledChunk kept = sample.chunks().iterator().next();
        assertThat(kept.pieces()).isEqualTo(3);
        assertThat(kept.known()).containsExactly(first.id(), second.id(), third.id());
        assertThat(kept.groups()).containsExactly(7, 9);
        assertThat(kept.piecesWithout(7)).isEqualTo(1);
        assertThat(kept.piecesWithout(9)).isEqualTo(2);
        assertThat(kept.piecesWithout(1)).isEqualTo(3);
    }

    private static List<Occurrences> chunks(Random random, int count) {
        List<Occurrences> chunks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            chunks.add(Occurrences.chunk(random, 10));
        }
        return chunks;
    }

    private static List<Long> hashes(DistinctSample sample) {
        return sample.chunks().stream().map(chunk -> chunk.hash).sorted().toList();
    }
}
