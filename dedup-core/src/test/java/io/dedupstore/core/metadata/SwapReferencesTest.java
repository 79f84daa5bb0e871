package io.dedupstore.core.metadata;

import static io.dedupstore.core.metadata.TestStore.BUCKET;
import static io.dedupstore.core.metadata.TestStore.fingerprint;
import static io.dedupstore.core.metadata.TestStore.indexed;
import static io.dedupstore.core.metadata.TestStore.key;
import static io.dedupstore.core.metadata.TestStore.unindexed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
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
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Unindexed chunks of a holder become references through the index. */
class SwapReferencesTest {
    private final TestStore store = new TestStore();

    private static Swap swap(long id, long from, int slot, long to) {
        return new Swap(
                fingerprint(id),
                new ChunkAddress(new ContainerId(from), slot),
                new ChunkAddress(new ContainerId(to), slot));
    }

    private static Map<ShardId, Retained> claimed(ShardId shard, Swap... swaps) {
        ReferenceSum sum =
                Stream.of(swaps)
                        .map(swap -> ReferenceSum.of(swap.reference()))
                        .reduce(ReferenceSum.ZERO, ReferenceSum::plus);
        return Map.of(shard, new Retained.All(sum));
    }

    private List<ManifestEntry> manifest(V holder) {
        return store.client.readManifest(BUCKET, key("k"), holder, 0).orElseThrow().entries();
    }

    private static ShardId shardOf(long id) {
        return ShardId.ofFingerprint(fingerprint(id), TestStore.INDEX_SHARDS);
    }

    @Test
    void theHolderRefersThroughTheIndexAndItsOwnSlotsAreFreed() {
        V holder = store.put("k", List.of(indexed(1), unindexed(2, 9, 1), unindexed(3, 9, 2))).v();
        store.rest().forgetMessages();
        assertThat(store.shard.holdersWithUnindexed(null, 10)).containsExactly(holder);
        assertThat(store.shard.unindexedOf(holder))
                .extracting(UnindexedChunk::fingerprint)
                .containsExactly(fingerprint(2), fingerprint(3));

        Swap two = swap(2, 9, 1, 50);
        V v = store.v();
        store.shard.swap(v, holder, List.of(two), List.of(0), claimed(shardOf(2), two));
        store.rest();
        assertThat(manifest(holder).get(1).kind()).isEqualTo(ManifestEntry.Kind.INDEXED);
        assertThat(manifest(holder).get(1).reference()).isEqualTo(two.reference());
        assertThat(manifest(holder).get(2)).isEqualTo(unindexed(3, 9, 2));
        assertThat(store.toStorage(9)).containsExactly(new StorageMessage.Free(new int[] {1}));
        assertThat(store.toIndex()).hasSize(1);
        assertThat(((IndexMessage.Confirm) store.toIndex().getFirst()).v()).isEqualTo(v);
        assertThat(store.client.totals(TestStore.SHARD).unindexedBytes()).isEqualTo(100);

        Swap three = swap(3, 9, 2, 50);
        V again = store.v();
        for (int i = 0; i < 2; i++) {
            // Repeated: the recorded outcome.
            store.shard.swap(again, holder, List.of(three), List.of(0), claimed(shardOf(3), three));
        }
        assertThat(store.shard.holdersWithUnindexed(null, 10)).isEmpty();
        assertThat(store.client.totals(TestStore.SHARD).unindexedBytes()).isZero();

        store.forgetMessages();
        store.delete("k");
        store.rest();
        assertThat(store.released(holder))
                .containsExactlyInAnyOrder(fingerprint(1), fingerprint(2), fingerprint(3));
        assertThat(store.leftRows()).isEmpty();
    }

    @Test
    void allRowsThatNameAChunkAreChanged() {
        List<ManifestEntry> entries = new ArrayList<>();
        for (int i = 0; i < 1_100; i++) {
            entries.add(i % 400 == 0 ? unindexed(2, 9, 1) : indexed(100 + i));
        }
        V holder = store.put("k", entries).v();
        store.rest().forgetMessages();
        UnindexedChunk chunk = store.shard.unindexedOf(holder).getFirst();
        assertThat(chunk.rows()).containsExactly(0, 1);

        Swap swap = swap(2, 9, 1, 50);
        store.shard.swap(store.v(), holder, List.of(swap), chunk.rows(), claimed(shardOf(2), swap));
        assertThat(store.shard.unindexedOf(holder)).isEmpty();
        assertThat(store.client.totals(TestStore.SHARD).unindexedBytes()).isZero();
        store.delete("k");
        store.rest();
        assertThat(store.released(holder)).hasSize(1_098).contains(fingerprint(2));
        assertThat(store.leftRows()).isEmpty();
    }

    @Test
    void aHolderThatIsNotAsItWasSeenIsLeftAlone() {
        V holder = store.put("k", List.of(unindexed(2, 9, 1), unindexed(3, 9, 2))).v();
        store.rest().forgetMessages();
        List<ManifestEntry> before = manifest(holder);
        Swap right = swap(2, 9, 1, 50);
        refused(holder, right, swap(3, 9, 7, 50));
        refused(holder, right, swap(4, 9, 2, 50));
        refused(store.v(), right);
        assertThatThrownBy(
                        () ->
                                store.shard.swap(
                                        store.v(),
                                        holder,
                                        List.of(right),
                                        List.of(1),
                                        claimed(shardOf(2), right)))
                .isInstanceOf(MetadataException.class);
        assertThat(manifest(holder)).isEqualTo(before);
        store.rest();
        assertThat(store.toStorage(9)).isEmpty();
        assertThat(store.toIndex()).isNotEmpty().allMatch(IndexMessage.Abort.class::isInstance);

        store.delete("k");
        store.rest();
        refused(holder, right);
    }

    private void refused(V holder, Swap... swaps) {
        assertThatThrownBy(
                        () ->
                                store.shard.swap(
                                        store.v(),
                                        holder,
                                        List.of(swaps),
                                        List.of(0),
                                        claimed(shardOf(2), swaps)))
                .isInstanceOf(MetadataException.class)
                .extracting(e -> ((MetadataException) e).code())
                .isEqualTo(MetadataException.Code.SOURCE_CHANGED);
    }

    @Test
    void whatAnAbortedSwapClaimedIsGivenUp() {
        V holder = store.put("k", List.of(unindexed(2, 9, 1))).v();
        store.rest().forgetMessages();
        V v = store.v();
        store.shard.abandon(v, Set.of(shardOf(2)));
        Swap swap = swap(2, 9, 1, 50);
        assertThatThrownBy(
                        () ->
                                store.shard.swap(
                                        v,
                                        holder,
                                        List.of(swap),
                                        List.of(0),
                                        claimed(shardOf(2), swap)))
                .isInstanceOf(MetadataException.class);
        store.rest();
        assertThat(store.toIndex()).containsExactly(new IndexMessage.Abort(v));
        assertThat(store.shard.holdersWithUnindexed(null, 10)).containsExactly(holder);
    }
}
