package io.dedupstore.core.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.index.IndexStatistics;
import io.dedupstore.core.io.LocalDisk;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Fingerprint;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Index shards are made anew from manifests while the store goes on working. */
class IndexRebuildTest {
    private static final int STEPS = 150;

    @TempDir Path scratch;

    @ParameterizedTest
    @CsvSource({"1, true", "2, true", "3, true", "4, true", "5, false", "6, false", "7, false"})
    void whatWasLostIsMadeAnewAndNothingElseChanges(long seed, boolean lost) {
        VerifiedStore store = new VerifiedStore(seed);
        for (int step = 0; step < STEPS; step++) {
            store.step();
        }
        if (lost) {
            store.loseIndex();
        }
        store.beginRebuild();
        IndexRebuild.Result result =
                store.rebuild(
                        scratch,
                        () -> {
                            for (int i = store.random.nextInt(4); i > 0; i--) {
                                store.step();
                            }
                        });
        assertThat(result.entries()).isPositive();
        assertThat(result.lost()).isZero();
        for (int step = 0; step < STEPS; step++) {
            store.step();
        }
        store.limit(OptionalLong.empty());
        store.settle();
        IndexVerifier.Result verified = store.verify();
        assertThat(verified.named()).as("seed %d", seed).isEmpty();
        assertThat(verified.complete()).isTrue();
        for (int number = 0; number < 2; number++) {
            IndexStatistics statistics = store.shard(number).statistics();
            assertThat(statistics.audit().balanced()).as("seed %d: books", seed).isTrue();
            assertThat(statistics.audit().failures()).as("seed %d: audit", seed).isZero();
            assertThat(statistics.anomalies()).isZero();
            assertThat(statistics.openIntents()).isZero();
        }
        assertThat(scratch).isEmptyDirectory();
    }

    @Test
    void aRebuildThatIsBrokenOffBeginsAnew() {
        VerifiedStore store = new VerifiedStore(9);
        for (int step = 0; step < STEPS; step++) {
            store.step();
        }
        store.settle();
        store.loseIndex();
        store.beginRebuild();
        store.rebuild(scratch, store::step);
        store.beginRebuild();
        assertThat(store.shard(0).isRebuilding()).isTrue();
        store.put();
        store.rebuild(scratch, store::step);
        assertThat(store.shard(0).isRebuilding()).isFalse();
        store.settle();
        assertThat(store.verify().named()).isEmpty();
    }

    @Test
    void slotsThatNobodyRefersToAreFreed() {
        VerifiedStore store = new VerifiedStore(10);
        for (int step = 0; step < STEPS; step++) {
            store.step();
        }
        store.settle();
        ChunkAddress leaked = store.slots.append();
        store.slots.adopt(leaked);
        assertThat(store.verify().differences()).isEqualTo(1);

        store.beginRebuild();
        assertThat(store.rebuild(scratch, () -> {}).freed()).isPositive();
        store.settle();
        assertThat(store.verify().named()).isEmpty();
    }

    @Test
    void referencesThatDoNotFitIntoMemoryAreSortedOnDisk() throws Exception {
        Random random = new Random(1);
        int distinct = 30_000;
        try (ReferenceSpill spill = new ReferenceSpill(new LocalDisk(), scratch, 1_000_000)) {
            assertThat(spill.partitions()).isEqualTo(4);
            for (int i = 0; i < 3 * distinct; i++) {
                long id = i % distinct;
                spill.add(
                        new Fingerprint(id * 0x9e3779b97f4a7c15L, 0, 0, id),
                        new ChunkAddress(new ContainerId(1 + id), random.nextInt(2)),
                        100);
            }
            assertThat(Files.list(scratch)).hasSize(4);
            Set<Fingerprint> seen = new HashSet<>();
            long references = 0;
            for (int i = 0; i < spill.partitions(); i++) {
                List<Fingerprint> order = new ArrayList<>();
                for (ReferenceSpill.Counted one : spill.sorted(i)) {
                    assertThat(one.address().container().value())
                            .isEqualTo(1 + one.fingerprint().w3());
                    references += one.references();
                    order.add(one.fingerprint());
                }
                assertThat(order).isSorted();
                order.forEach(seen::add);
            }
            assertThat(seen).hasSize(distinct);
            assertThat(references).isEqualTo(3L * distinct);
        }
        assertThat(scratch).isEmptyDirectory();
    }
}
