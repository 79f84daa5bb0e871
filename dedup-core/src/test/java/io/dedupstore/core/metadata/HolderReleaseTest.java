package io.dedupstore.core.metadata;

import static io.dedupstore.core.metadata.TestStore.chunks;
import static io.dedupstore.core.metadata.TestStore.indexed;
import static io.dedupstore.core.metadata.TestStore.range;
import static io.dedupstore.core.metadata.TestStore.unindexed;
import static io.dedupstore.core.metadata.TestStore.zero;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.model.V;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What happens to the references of holders that nothing uses any more. */
class HolderReleaseTest {
    private final TestStore store = new TestStore();

    @Test
    void anOverwriteReleasesWhatTheOldVersionHeldAndNothingElse() {
        ObjectVersion old = store.put("k", chunks(1, 2));
        ObjectVersion now = store.put("k", chunks(2, 3));
        store.rest();
        assertThat(store.released(old.v()))
                .containsExactlyInAnyOrder(TestStore.fingerprint(1), TestStore.fingerprint(2));
        assertThat(store.released(now.v())).isEmpty();
    }

    @Test
    void aDeleteReleasesWithTheAddressOfTheReference() {
        ObjectVersion old = store.put("k", chunks(5));
        store.delete("k");
        store.rest();
        assertThat(store.releases())
                .containsExactly(
                        new IndexMessage.Release(old.v(), List.of(indexed(5).reference())));
        assertThat(store.leftRows()).isEmpty();
    }

    @Test
    void confirmStandsBeforeReleaseInTheSameStream() {
        V v = store.v();
        ManifestEntry entry = indexed(1);
        ShardId to = ShardId.ofFingerprint(entry.reference().fingerprint(), TestStore.INDEX_SHARDS);
        store.put(
                "k",
                store.holder(v, List.of(entry), Map.of(to, new Retained.All(ReferenceSum.ZERO))));
        store.delete("k");
        store.rest();
        assertThat(store.toIndex())
                .containsExactly(
                        new IndexMessage.Confirm(v, new Retained.All(ReferenceSum.ZERO)),
                        new IndexMessage.Release(v, List.of(entry.reference())));
    }

    @Test
    void unindexedChunksAreFreedStraightAtStorage() {
        store.put("k", List.of(unindexed(1, 40, 3), unindexed(2, 40, 1), indexed(7)));
        store.delete("k");
        store.rest();
        assertThat(store.toStorage(40))
                .containsExactly(
                        new StorageMessage.Adopt(new int[] {1, 3}),
                        new StorageMessage.Free(new int[] {1, 3}));
        assertThat(store.releases()).hasSize(1);
    }

    @Test
    void zeroChunksAreNeverMentioned() {
        store.put("k", List.of(zero(4096), zero(100)));
        store.delete("k");
        store.rest();
        assertThat(store.toIndex()).isEmpty();
        assertThat(store.leftRows()).isEmpty();
    }

    @Test
    void aChunkThatIsInOneManifestSeveralTimesIsReleasedOnce() {
        ObjectVersion old = store.put("k", chunks(1, 2, 1, 1));
        store.delete("k");
        store.rest();
        assertThat(store.released(old.v())).hasSize(2);
    }

    @Test
    void aChunkRepeatedInManyRowsOfAManifestIsReleasedOnce() {
        List<ManifestEntry> entries = new ArrayList<>();
        for (int i = 0; i < 6_000; i++) {
            entries.add(indexed(i % 5 == 0 ? 0 : i));
        }
        ObjectVersion old = store.put("k", entries);
        store.delete("k");
        store.rest();
        List<Fingerprint> released = store.released(old.v());
        assertThat(released).doesNotHaveDuplicates().hasSize(4_801);
        assertThat(store.leftRows()).isEmpty();
    }

    @Test
    void theLargestManifestIsCommittedAndReleasedInBoundedSteps() {
        List<ManifestEntry> entries = new ArrayList<>();
        for (int i = 0; i < MetadataService.MAX_HOLDER_CHUNKS; i++) {
            entries.add(
                    switch (i % 4) {
                        case 0 -> zero(1 + i % 700);
                        case 1 -> unindexed(i, 100 + i % 3000, i / 3000);
                        default -> indexed(i);
                    });
        }
        ObjectVersion old = store.put("k", entries);
        store.group.workAll();
        MetadataService.BucketUsage usage = store.client.usage(TestStore.BUCKET);
        assertThat(usage.chunks()).isEqualTo(entries.size());
        assertThat(usage.referencedChunkBytes()).isEqualTo(old.size());

        store.delete("k");
        store.rest();
        assertThat(store.released(old.v())).doesNotHaveDuplicates().hasSize(entries.size() / 2);
        assertThat(store.leftRows()).isEmpty();
        assertThat(store.group.mostRows()).isLessThanOrEqualTo(4096);
        assertThat(store.client.totals(TestStore.SHARD))
                .isEqualTo(new ShardTotals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    }

    @Test
    void everyAdoptionStandsBeforeTheFreeOfTheSameSlot() {
        List<ManifestEntry> entries = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            entries.add(unindexed(i, 60, i));
        }
        store.put("k", entries);
        store.delete("k");
        store.rest();
        boolean freeing = false;
        int adopted = 0;
        int freed = 0;
        for (StorageMessage message : store.toStorage(60)) {
            switch (message) {
                case StorageMessage.Adopt adopt -> {
                    assertThat(freeing).isFalse();
                    adopted += adopt.slots().length;
                }
                case StorageMessage.Free free -> {
                    freeing = true;
                    freed += free.slots().length;
                }
                case StorageMessage.Closed closed -> throw new AssertionError(closed);
            }
        }
        assertThat(adopted).isEqualTo(5_000);
        assertThat(freed).isEqualTo(5_000);
    }

    @Test
    void totalsCountAZeroChunkOncePerLengthAndUnindexedBytes() {
        store.put("a", List.of(zero(100), zero(100), zero(50), unindexed(1, 9, 1)));
        store.put("b", List.of(zero(100), indexed(1)));
        ShardTotals both = store.client.totals(TestStore.SHARD);
        assertThat(both.zeroDistinctBytes()).isEqualTo(150);
        assertThat(both.unindexedBytes()).isEqualTo(100);
        assertThat(both.referencedChunkBytes()).isEqualTo(550);
        assertThat(both.chunks()).isEqualTo(6);
        assertThat(both.holders()).isEqualTo(2);

        store.delete("a");
        store.rest();
        ShardTotals one = store.client.totals(TestStore.SHARD);
        assertThat(one.zeroDistinctBytes()).isEqualTo(100);
        assertThat(one.unindexedBytes()).isZero();
    }

    @Test
    void usageOfABucketFollowsItsObjects() {
        store.put("a", chunks(range(0, 10)));
        store.put("b", TestStore.inline(store.v(), 70));
        store.put("a", chunks(1));
        assertThat(store.client.usage(TestStore.BUCKET))
                .isEqualTo(new MetadataService.BucketUsage(2, 170, 70, 100, 1, 1100, 0, 0, 0, 0));
        store.rest();
        assertThat(store.client.usage(TestStore.BUCKET))
                .isEqualTo(new MetadataService.BucketUsage(2, 170, 70, 100, 1, 100, 0, 0, 0, 0));
    }
}
