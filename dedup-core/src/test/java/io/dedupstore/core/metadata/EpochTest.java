package io.dedupstore.core.metadata;

import static io.dedupstore.core.metadata.CommitTest.assertRefused;
import static io.dedupstore.core.metadata.TestStore.BUCKET;
import static io.dedupstore.core.metadata.TestStore.chunks;
import static io.dedupstore.core.metadata.TestStore.inline;
import static io.dedupstore.core.metadata.TestStore.key;
import static io.dedupstore.core.metadata.TestStore.range;
import static io.dedupstore.core.metadata.TestStore.unindexed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.metadata.MetadataException.Code;
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
import org.junit.jupiter.api.Test;

/** RESOLVE, and the steps of an epoch close. */
class EpochTest {
    private static final ShardId F0 = ShardId.index(0);
    private static final ShardId F1 = ShardId.index(1);

    private final TestStore store = new TestStore();

    private IndexMessage confirm(V v, Retained retained) {
        return new IndexMessage.Confirm(v, retained);
    }

    @Test
    void resolvingAnOpenFateAbortsForGood() {
        V v = store.v();
        NewBody.Holder body =
                store.holder(v, chunks(1), Map.of(F0, new Retained.All(ReferenceSum.ZERO)));
        store.shard.resolve(v, F0);
        store.shard.resolve(v, F0);
        store.shard.resolve(v, F1);

        assertRefused(Code.ABORTED, () -> store.put("k", body));
        store.deliver();
        assertThat(store.toIndex())
                .containsExactly(new IndexMessage.Abort(v), new IndexMessage.Abort(v));
    }

    @Test
    void resolvingACommittedAttemptFromAShardNotNamedConfirmsNothingRetained() {
        V v = store.v();
        store.put("k", store.holder(v, chunks(1), Map.of(F0, new Retained.All(ReferenceSum.ZERO))));
        store.shard.resolve(v, F1);
        store.shard.resolve(v, F1);
        store.deliver();
        assertThat(store.toIndex())
                .containsExactly(
                        confirm(v, new Retained.All(ReferenceSum.ZERO)),
                        confirm(v, new Retained.None()));
    }

    @Test
    void resolvingACommittedAttemptFromANamedShardSaysNothingMore() {
        V v = store.v();
        store.put("k", store.holder(v, chunks(1), Map.of(F0, new Retained.All(ReferenceSum.ZERO))));
        store.shard.resolve(v, F0);
        store.deliver();
        assertThat(store.toIndex())
                .containsExactly(confirm(v, new Retained.All(ReferenceSum.ZERO)));
    }

    @Test
    void requestsOfARefusedEpochHaveAnUnknownOutcome() {
        NewBody late = store.holder(store.v(), chunks(1));
        store.shard.refuseEpoch(1);
        assertRefused(Code.UNKNOWN, () -> store.put("k", late));
        assertRefused(Code.UNKNOWN, () -> store.delete("k"));
        assertRefused(Code.UNKNOWN, () -> store.upload("k"));
        assertThat(store.client.findObject(BUCKET, key("k"))).isEmpty();
        store.nextEpoch();
        store.put("k", inline(store.v(), 1));
    }

    @Test
    void aRepeatedCommitOfARefusedEpochStillGetsItsRecordedOutcome() {
        NewBody body = store.holder(store.v(), chunks(1));
        ObjectVersion told = store.put("k", body);
        store.shard.refuseEpoch(1);
        assertThat(store.put("k", body)).isEqualTo(told);
    }

    @Test
    void resolveIsNotRefusedForAge() {
        V v = store.v();
        store.shard.refuseEpoch(1);
        store.shard.resolve(v, F0);
        store.deliver();
        assertThat(store.toIndex()).containsExactly(new IndexMessage.Abort(v));
    }

    @Test
    void resolveOfAForgottenEpochWritesNothing() {
        V v = store.v();
        store.put("k", store.holder(store.v(), chunks(1)));
        store.close(1);
        Map<String, String> before = store.group.rows();
        store.shard.resolve(v, F0);
        assertThat(store.group.rows()).isEqualTo(before);
    }

    @Test
    void fatesAreGoneAfterAnEpochIsForgottenAndLateCommitsStayRefused() {
        NewBody body = store.holder(store.v(), chunks(1));
        store.put("k", body);
        V open = store.v();
        store.delete("k");
        store.rest();
        store.close(1);
        store.rest();

        assertThat(store.group.rows().keySet()).noneMatch(row -> row.startsWith("metadata/000346"));
        assertRefused(Code.UNKNOWN, () -> store.put("k", body));
        assertRefused(Code.UNKNOWN, () -> store.put("k", inline(open, 1)));
        assertThat(store.client.findObject(BUCKET, key("k"))).isEmpty();
    }

    @Test
    void fatesOfLaterEpochsStay() {
        store.put("k", inline(store.v(), 1));
        store.nextEpoch();
        NewBody later = inline(store.v(), 2);
        ObjectVersion told = store.put("k", later);
        store.close(1);
        store.delete("k");
        assertThat(store.put("k", later)).isEqualTo(told);
        assertThat(store.client.findObject(BUCKET, key("k"))).isEmpty();
    }

    @Test
    void manifestRowsSentAheadInVainAreCleanedWithTheFates() {
        store.holder(store.v(), chunks(range(0, 1024)));
        assertThat(store.leftRows()).isNotEmpty();
        store.close(1);
        assertThat(store.leftRows()).isEmpty();
    }

    @Test
    void manifestRowsOfAnAbortedAttemptGoAtOnce() {
        V v = store.v();
        NewBody.Holder body = store.holder(v, chunks(range(0, 1024)));
        store.client.abandon(BUCKET, key("k"), v, body.claimed());
        store.rest();
        assertThat(store.leftRows()).isEmpty();
    }

    @Test
    void closedIsAnnouncedOnlyAfterEveryAdoption() {
        List<ManifestEntry> entries = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            entries.add(unindexed(i, 50, i));
        }
        store.put("k", store.holder(store.v(), entries));
        store.shard.refuseEpoch(1);
        ContainerId container = new ContainerId(50);
        assertThat(store.shard.settled(1)).isFalse();
        assertThatThrownBy(() -> store.shard.announceClosed(1, List.of(container)))
                .isInstanceOf(IllegalStateException.class);

        store.group.work();
        assertThat(store.shard.settled(1)).isFalse();
        store.shard.forgetEpoch(1);
        assertThatThrownBy(() -> store.shard.announceClosed(1, List.of(container)))
                .isInstanceOf(IllegalStateException.class);

        store.group.workAll();
        assertThat(store.shard.settled(1)).isTrue();
        store.shard.announceClosed(1, List.of(container));

        List<StorageMessage> sent = store.rest().toStorage(50);
        assertThat(sent.getLast()).isEqualTo(new StorageMessage.Closed(1));
        int adopted = 0;
        for (StorageMessage message : sent.subList(0, sent.size() - 1)) {
            adopted += ((StorageMessage.Adopt) message).slots().length;
        }
        assertThat(adopted).isEqualTo(20_000);
    }

    @Test
    void closedIsNotAnnouncedBeforeTheEpochIsForgotten() {
        store.shard.refuseEpoch(1);
        store.group.workAll();
        assertThat(store.shard.settled(1)).isTrue();
        assertThatThrownBy(() -> store.shard.announceClosed(1, List.of(new ContainerId(50))))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anEpochIsNotForgottenBeforeItIsRefused() {
        assertThatThrownBy(() -> store.shard.forgetEpoch(1))
                .isInstanceOf(IllegalStateException.class);
        assertThat(store.shard.settled(1)).isFalse();
    }

    @Test
    void invisibleHoldersLoseTheirUseWithTheirEpoch() {
        V first = store.v();
        store.client.commitEarlier(BUCKET, key("k"), store.holder(first, chunks(1, 2)));
        store.rest();
        assertThat(store.releases()).isEmpty();

        store.shard.refuseEpoch(1);
        assertThat(store.shard.settled(1)).isFalse();
        store.rest();
        assertThat(store.shard.settled(1)).isTrue();
        assertThat(store.released(first)).hasSize(2);

        store.nextEpoch();
        NewBody last = store.holder(store.v(), List.of(first), 200, chunks(3), Map.of());
        assertRefused(Code.ABORTED, () -> store.put("k", last));
    }

    @Test
    void theLastCommitOfALongWriteTakesItsEarlierHoldersOver() {
        V first = store.v();
        V second = store.v();
        store.client.commitEarlier(BUCKET, key("k"), store.holder(first, chunks(1, 2)));
        store.client.commitEarlier(
                BUCKET, key("k"), store.holder(second, List.of(first), 200, chunks(3), Map.of()));
        NewBody last = store.holder(store.v(), List.of(first, second), 300, chunks(4), Map.of());
        ObjectVersion version = store.put("k", last);
        assertThat(version.size()).isEqualTo(400);
        assertThat(store.open("k").body().length()).isEqualTo(400);

        store.close(1);
        store.rest();
        assertThat(store.releases()).isEmpty();
        store.nextEpoch();
        store.delete("k");
        store.rest();
        assertThat(store.released(first)).hasSize(2);
        assertThat(store.released(second)).hasSize(1);
        assertThat(store.leftRows()).isEmpty();
    }

    @Test
    void aWriteThatGoesOnOutlivesTheEpochItBeganIn() {
        V first = store.v();
        store.client.commitEarlier(BUCKET, key("k"), store.holder(first, chunks(1, 2)));
        store.nextEpoch();
        V second = store.v();
        store.client.commitEarlier(
                BUCKET, key("k"), store.holder(second, List.of(first), 200, chunks(3), Map.of()));
        store.close(1);
        store.rest();
        assertThat(store.releases()).isEmpty();

        NewBody last = store.holder(store.v(), List.of(first, second), 300, chunks(4), Map.of());
        store.put("k", last);
        store.close(2);
        store.rest();
        assertThat(store.releases()).isEmpty();
        assertThat(store.open("k").body().length()).isEqualTo(400);
    }

    @Test
    void aWriteThatStopsLosesAllItsHoldersWithTheEpochOfTheLast() {
        V first = store.v();
        store.client.commitEarlier(BUCKET, key("k"), store.holder(first, chunks(1, 2)));
        store.nextEpoch();
        V second = store.v();
        store.client.commitEarlier(
                BUCKET, key("k"), store.holder(second, List.of(first), 200, chunks(3), Map.of()));
        store.close(1);
        store.rest();
        assertThat(store.releases()).isEmpty();

        store.close(2);
        store.rest();
        assertThat(store.released(first)).hasSize(2);
        assertThat(store.released(second)).hasSize(1);
        assertThat(store.leftRows()).isEmpty();
    }

    @Test
    void twoWritesCannotTakeTheSameEarlierHolder() {
        V first = store.v();
        store.client.commitEarlier(BUCKET, key("k"), store.holder(first, chunks(1)));
        store.put("a", store.holder(store.v(), List.of(first), 100, chunks(2), Map.of()));
        NewBody second = store.holder(store.v(), List.of(first), 100, chunks(3), Map.of());
        assertRefused(Code.ABORTED, () -> store.put("b", second));
    }

    @Test
    void manyFatesAreForgottenInBoundedSteps() {
        for (int i = 0; i < 3000; i++) {
            store.put("k", inline(store.v(), 1));
        }
        store.shard.refuseEpoch(1);
        store.shard.forgetEpoch(1);
        store.group.work();
        assertThat(store.group.rows().keySet()).anyMatch(row -> row.startsWith("metadata/000346"));
        store.group.workAll();
        assertThat(store.group.rows().keySet()).noneMatch(row -> row.startsWith("metadata/000346"));
    }
}
