package io.dedupstore.core.metadata;

import static io.dedupstore.core.metadata.TestStore.BUCKET;
import static io.dedupstore.core.metadata.TestStore.chunks;
import static io.dedupstore.core.metadata.TestStore.indexed;
import static io.dedupstore.core.metadata.TestStore.inline;
import static io.dedupstore.core.metadata.TestStore.key;
import static io.dedupstore.core.metadata.TestStore.spec;
import static io.dedupstore.core.metadata.TestStore.unindexed;
import static io.dedupstore.core.metadata.TestStore.zero;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.metadata.MetadataException.Code;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.model.V;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** COMMIT: what is looked at in which order, and what follows from it. */
class CommitTest {
    private static final Precondition NONE = new Precondition.None();
    private static final Precondition ABSENT = new Precondition.Absent();

    private final TestStore store = new TestStore();

    static AbstractThrowableAssert<?, ?> assertRefused(Code code, ThrowingCallable call) {
        return assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        MetadataException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private ObjectVersion put(NewBody body, Precondition precondition) {
        return store.client.putObject(BUCKET, key("k"), body, spec("e" + body.v()), precondition);
    }

    @Test
    void aCommittedVersionIsFoundWithItsBytesAndItsManifest() {
        V v = store.v();
        ObjectVersion version = put(store.holder(v, List.of(indexed(1), zero(50))), NONE);

        assertThat(version.size()).isEqualTo(150);
        assertThat(store.client.findObject(BUCKET, key("k"))).contains(version);
        assertThat(store.open("k").body().length()).isEqualTo(150);
        assertThat(store.client.readManifest(BUCKET, key("k"), v, 100).orElseThrow())
                .isEqualTo(new MetadataService.ManifestStretch(100, List.of(zero(50))));
        assertThat(store.client.readManifest(BUCKET, key("k"), v, 149).orElseThrow().offset())
                .isEqualTo(100);
        assertThat(store.client.readManifest(BUCKET, key("k"), v, 150)).isEmpty();
    }

    @Test
    void anInlineBodyComesBackAsItWas() {
        put(new NewBody.Inline(store.v(), new byte[] {1, 2, 3}), NONE);
        assertThat(store.open("k").body()).isEqualTo(new Body.Inline(new byte[] {1, 2, 3}));
        put(inline(store.v(), 0), NONE);
        assertThat(store.open("k").body()).isEqualTo(new Body.Inline(new byte[0]));
    }

    @Test
    void repeatedCommitAfterAnOverwriteAnswersTheRecordedSuccessAndChangesNothing() {
        NewBody first = store.holder(store.v(), chunks(1));
        ObjectVersion told = put(first, NONE);
        ObjectVersion newer = put(store.holder(store.v(), chunks(2)), NONE);
        store.rest();
        Map<String, String> before = store.group.rows();

        assertThat(put(first, NONE)).isEqualTo(told);

        assertThat(store.group.rows()).isEqualTo(before);
        assertThat(store.client.findObject(BUCKET, key("k"))).contains(newer);
    }

    @Test
    void repeatedCommitAfterADeleteDoesNotBringTheObjectBack() {
        NewBody first = store.holder(store.v(), chunks(1));
        ObjectVersion told = put(first, NONE);
        store.delete("k");
        store.rest();

        assertThat(put(first, NONE)).isEqualTo(told);
        assertThat(store.client.findObject(BUCKET, key("k"))).isEmpty();
    }

    @Test
    void aCommitThatFailedItsPreconditionCanNeverTakeEffectLater() {
        put(inline(store.v(), 1), NONE);
        NewBody late = store.holder(store.v(), chunks(1));
        assertRefused(Code.PRECONDITION_FAILED, () -> put(late, ABSENT));
        store.delete("k");

        assertRefused(Code.PRECONDITION_FAILED, () -> put(late, ABSENT));
        assertThat(store.client.findObject(BUCKET, key("k"))).isEmpty();
    }

    @Test
    void aFailedPreconditionAbortsAtEveryNamedShard() {
        put(inline(store.v(), 1), NONE);
        V v = store.v();
        Map<ShardId, Retained> claimed =
                Map.of(
                        ShardId.index(0), new Retained.All(ReferenceSum.ZERO),
                        ShardId.index(2), new Retained.None());
        NewBody body = store.holder(v, chunks(1), claimed);
        assertRefused(Code.PRECONDITION_FAILED, () -> put(body, ABSENT));
        assertRefused(Code.PRECONDITION_FAILED, () -> put(body, ABSENT));

        store.deliver();
        assertThat(store.toIndex())
                .containsExactly(new IndexMessage.Abort(v), new IndexMessage.Abort(v));
    }

    @Test
    void aCommitConfirmsToEveryShardThatWasSentAClaimAnsweredOrNot() {
        V v = store.v();
        Retained some = new Retained.AllBut(Set.of(TestStore.fingerprint(9)), ReferenceSum.ZERO);
        put(
                store.holder(
                        v,
                        chunks(1),
                        Map.of(
                                ShardId.index(0), new Retained.All(ReferenceSum.ZERO),
                                ShardId.index(1), some,
                                ShardId.index(3), new Retained.None())),
                NONE);

        store.deliver();
        assertThat(store.toIndex())
                .containsExactlyInAnyOrder(
                        new IndexMessage.Confirm(v, new Retained.All(ReferenceSum.ZERO)),
                        new IndexMessage.Confirm(v, some),
                        new IndexMessage.Confirm(v, new Retained.None()));
    }

    @Test
    void preconditionsHoldOrAreRefusedWithTheirCode() {
        assertRefused(
                Code.NO_SUCH_KEY, () -> put(inline(store.v(), 1), new Precondition.EtagIs("x")));
        assertRefused(
                Code.NO_SUCH_KEY, () -> put(inline(store.v(), 1), new Precondition.Present()));
        ObjectVersion first = put(inline(store.v(), 1), ABSENT);
        assertRefused(Code.PRECONDITION_FAILED, () -> put(inline(store.v(), 1), ABSENT));
        assertRefused(
                Code.PRECONDITION_FAILED,
                () -> put(inline(store.v(), 1), new Precondition.EtagIs("other")));
        put(inline(store.v(), 2), new Precondition.EtagIs(first.etag()));
        put(inline(store.v(), 3), new Precondition.Present());
        assertThat(store.open("k").version().size()).isEqualTo(3);
    }

    @Test
    void ofTwoConditionalWritesOneWins() {
        NewBody one = store.holder(store.v(), chunks(1));
        NewBody two = store.holder(store.v(), chunks(2));
        put(one, ABSENT);
        assertRefused(Code.PRECONDITION_FAILED, () -> put(two, ABSENT));
        assertThat(store.open("k").version().v()).isEqualTo(one.v());
    }

    @Test
    void aDeleteThatComesAgainDoesNotRemoveANewerObject() {
        put(inline(store.v(), 1), NONE);
        V delete = store.v();
        assertThat(
                        store.client
                                .deleteObject(delete, BUCKET, key("k"), Versioning.NEVER, NONE)
                                .existed())
                .isTrue();
        put(inline(store.v(), 2), NONE);

        assertThat(
                        store.client
                                .deleteObject(delete, BUCKET, key("k"), Versioning.NEVER, NONE)
                                .existed())
                .isTrue();
        assertThat(store.client.findObject(BUCKET, key("k"))).isPresent();
    }

    @Test
    void deletingWhatIsNotThereSucceedsUnlessItIsConditional() {
        assertThat(store.delete("k")).isFalse();
        assertRefused(
                Code.NO_SUCH_KEY,
                () ->
                        store.client.deleteObject(
                                store.v(),
                                BUCKET,
                                key("k"),
                                Versioning.NEVER,
                                new Precondition.EtagIs("x")));
        put(inline(store.v(), 1), NONE);
        assertRefused(
                Code.PRECONDITION_FAILED,
                () ->
                        store.client.deleteObject(
                                store.v(),
                                BUCKET,
                                key("k"),
                                Versioning.NEVER,
                                new Precondition.EtagIs("x")));
        assertThat(store.delete("k")).isTrue();
    }

    @Test
    void anAbandonedAttemptCannotCommitAnyMore() {
        V v = store.v();
        NewBody.Holder body =
                store.holder(
                        v,
                        chunks(1),
                        Map.of(ShardId.index(1), new Retained.All(ReferenceSum.ZERO)));
        store.client.abandon(BUCKET, key("k"), v, body.claimed());
        assertRefused(Code.ABORTED, () -> put(body, NONE));
        store.deliver();
        assertThat(store.toIndex()).containsExactly(new IndexMessage.Abort(v));
    }

    @Test
    void abandoningWhatHasCommittedChangesNothing() {
        V v = store.v();
        NewBody.Holder body =
                store.holder(
                        v,
                        chunks(1),
                        Map.of(ShardId.index(1), new Retained.All(ReferenceSum.ZERO)));
        put(body, NONE);
        store.client.abandon(BUCKET, key("k"), v, body.claimed());
        assertThat(store.client.findObject(BUCKET, key("k"))).isPresent();
        store.deliver();
        assertThat(store.toIndex())
                .containsExactly(new IndexMessage.Confirm(v, new Retained.All(ReferenceSum.ZERO)));
    }

    @Test
    void abandoningTellsShardsThatHaveNotHeardOfAnEarlierVerdict() {
        V v = store.v();
        store.shard.resolve(v, ShardId.index(0));
        store.client.abandon(
                BUCKET,
                key("k"),
                v,
                Map.of(
                        ShardId.index(0), new Retained.All(ReferenceSum.ZERO),
                        ShardId.index(1), new Retained.All(ReferenceSum.ZERO)));
        store.deliver();
        assertThat(store.toIndex())
                .containsExactly(new IndexMessage.Abort(v), new IndexMessage.Abort(v));
    }

    @Test
    void aSealedBucketRefusesEveryWriteForEver() {
        put(inline(store.v(), 1), NONE);
        assertRefused(Code.BUCKET_NOT_EMPTY, () -> store.client.sealBucket(store.v(), BUCKET));
        store.delete("k");
        store.client.sealBucket(store.v(), BUCKET);
        store.client.sealBucket(store.v(), BUCKET);

        assertRefused(Code.NO_SUCH_BUCKET, () -> put(inline(store.v(), 1), NONE));
        assertRefused(Code.NO_SUCH_BUCKET, () -> store.upload("k"));
        assertRefused(Code.NO_SUCH_BUCKET, () -> store.delete("k"));
    }

    @Test
    void unindexedChunksAreAdoptedByTheEntryThatCommitsThem() {
        V v = store.v();
        put(
                store.holder(
                        v,
                        List.of(
                                unindexed(1, 40, 5),
                                unindexed(2, 41, 1),
                                unindexed(1, 40, 5),
                                unindexed(3, 40, 2))),
                NONE);
        store.deliver();
        assertThat(store.toStorage(40)).containsExactly(new StorageMessage.Adopt(new int[] {2, 5}));
        assertThat(store.toStorage(41)).containsExactly(new StorageMessage.Adopt(new int[] {1}));
    }

    @Test
    void aManifestThatDoesNotAddUpIsRefused() {
        V v = store.v();
        NewBody.Holder good = store.holder(v, chunks(1, 2));
        NewBody wrong = new NewBody.Holder(v, List.of(), 201, 0, good.tail(), Map.of(), 0);
        assertRefused(Code.ABORTED, () -> put(wrong, NONE));

        V w = store.v();
        NewBody missingRow = new NewBody.Holder(w, List.of(), 100, 1, good.tail(), Map.of(), 0);
        assertRefused(Code.ABORTED, () -> put(missingRow, NONE));
    }

    @Test
    void rowsSentAheadComeInOrderAndMayBeRepeated() {
        V v = store.v();
        var row = IntStream.range(0, 512).mapToObj(TestStore::indexed).toList();
        store.client.sendRow(BUCKET, key("k"), v, 0, row);
        store.client.sendRow(BUCKET, key("k"), v, 0, row);
        store.client.sendRow(BUCKET, key("k"), v, 1, row);
        put(new NewBody.Holder(v, List.of(), 102_400, 2, List.of(), Map.of(), 0), NONE);
        assertThat(store.client.readManifest(BUCKET, key("k"), v, 60_000).orElseThrow().offset())
                .isEqualTo(60_000);

        V w = store.v();
        assertRefused(Code.ABORTED, () -> store.client.sendRow(BUCKET, key("k"), w, 1, row));
        assertRefused(Code.ABORTED, () -> store.client.sendRow(BUCKET, key("k"), w, 0, row));
    }

    @Test
    void commitTimesNeverGoBack() {
        ObjectVersion first = put(inline(store.v(), 1), NONE);
        store.passTime(java.time.Duration.ofDays(-30));
        ObjectVersion second = put(inline(store.v(), 1), NONE);
        assertThat(second.modifiedMillis()).isGreaterThanOrEqualTo(first.modifiedMillis());
    }

    @Test
    void aCommandForAShardThatIsNotHereIsAnsweredNotThrown() {
        byte[] reply =
                store.group.submit(
                        CommandEncoder.encode(
                                new MetadataCommand.RefuseEpoch(ShardId.metadata(9), 1)));
        assertThat(Replies.decode(reply).getStatus())
                .isEqualTo(MetadataProto.Reply.Status.NOT_HOSTED);
    }
}
