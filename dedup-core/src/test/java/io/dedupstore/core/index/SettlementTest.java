package io.dedupstore.core.index;

import static io.dedupstore.core.index.IndexFixture.at;
import static io.dedupstore.core.index.IndexFixture.fp;
import static io.dedupstore.core.index.IndexFixture.known;
import static io.dedupstore.core.index.IndexFixture.offer;
import static io.dedupstore.core.index.IndexFixture.own;
import static io.dedupstore.core.index.IndexFixture.v;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.state.MessageCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SettlementTest {
    private static final V V1 = v(1, 1);
    private static final V V2 = v(1, 2);

    private final IndexFixture index = new IndexFixture();
    private long expectedAnomalies;

    @AfterEach
    void countersAgreeWithTheRows() {
        if (expectedAnomalies == 0) {
            index.checkCounters("at the end");
        }
        assertThat(index.statistics().anomalies()).isEqualTo(expectedAnomalies);
    }

    @Test
    void confirmKeepsWhatIsRetainedAndDropsTheRest() {
        index.claim(V1, offer(1, at(5, 1)), offer(2, at(5, 2)), offer(3, at(5, 3)));

        index.deliver(
                new IndexMessage.Confirm(
                        V1, new Retained.AllBut(Set.of(fp(2)), ReferenceSum.ZERO)));

        assertThat(index.references(1)).isEqualTo(1);
        assertThat(index.references(2)).isZero();
        assertThat(index.references(3)).isEqualTo(1);
        assertThat(index.rows(IndexTables.ANSWERS)).isZero();
        assertThat(index.rows(IndexTables.INTENTS)).isZero();
        assertThat(index.rows(IndexTables.TOMBSTONES)).isEqualTo(1);
    }

    /**
     * FINDINGS F7: a shard named in COMMIT that retained nothing gets CONFIRM(none) and settles.
     */
    @Test
    void confirmThatRetainsNothingDropsEverythingAndSettles() {
        index.claim(V1, offer(1, at(5, 1)));
        index.deliver(new IndexMessage.Confirm(V1, new Retained.None()));

        assertThat(index.references(1)).isZero();
        assertThat(IndexQueries.settled(index.store, index.shard, 1)).isTrue();
        assertThat(IndexQueries.openIntents(index.store, index.shard, 1, 10)).isEmpty();
    }

    @Test
    void theFirstVerdictCountsAndLaterOnesChangeNothing() {
        index.claim(V1, offer(1, at(5, 1)));
        index.confirm(V1);
        index.abort(V1);
        index.deliver(new IndexMessage.Confirm(V1, new Retained.None()));
        assertThat(index.references(1)).isEqualTo(1);
    }

    @Test
    void abortDropsEveryReferenceButThoseOfOthersStay() {
        index.claim(V1, offer(1, at(5, 1)), offer(2, at(5, 2)));
        index.claim(V2, known(1));
        index.abort(V1);
        index.work();

        assertThat(index.references(1)).isEqualTo(1);
        assertThat(index.entry(2)).isNull();
        assertThat(index.sent()).containsExactly("5 ADOPT [1, 2]", "5 FREE [2]");
    }

    @Test
    void releaseOfTheEntrysAddressCountsDownToAZombieThatIsCondemnedAndFreed() {
        index.claim(V1, offer(1, at(5, 1)));
        index.claim(V2, known(1));
        index.confirm(V1);
        index.confirm(V2);
        index.sent();

        index.release(V1, 1, at(5, 1));
        assertThat(index.references(1)).isEqualTo(1);
        index.release(V2, 1, at(5, 1));
        assertThat(index.references(1)).isZero();
        assertThat(index.sent()).as("a zombie may be revived").isEmpty();

        index.work();
        assertThat(index.entry(1)).isNull();
        assertThat(index.sent()).containsExactly("5 FREE [1]");
    }

    @Test
    void releaseThatFindsNoEntryOrAnotherAddressFreesItsOwn() {
        expectedAnomalies = 2; // Nothing was pruned that it could have been about.
        index.release(V1, 1, at(5, 1));
        assertThat(index.sent()).containsExactly("5 FREE [1]");

        index.claim(V2, offer(1, at(6, 1)));
        index.confirm(V2);
        index.sent();
        index.release(V1, 1, at(5, 7));
        assertThat(index.references(1)).isEqualTo(1);
        assertThat(index.sent()).containsExactly("5 FREE [7]");
    }

    @Test
    void contentThatComesAgainAfterCollectionHasANewAddressSoALateFreeCannotHitIt() {
        index.claim(V1, offer(1, at(5, 1)));
        index.abort(V1);
        index.work();
        assertThat(index.claim(V2, offer(1, at(6, 1)))).containsExactly(own(at(6, 1)));
        assertThat(index.sent()).containsExactly("5 ADOPT [1]", "5 FREE [1]", "6 ADOPT [1]");
    }

    @Test
    void itemsAreAppliedInOrderAndOnceEach() {
        index.claim(V1, offer(1, at(5, 1)));
        index.claim(V2, known(1));
        IndexMessage abort = new IndexMessage.Abort(V2);

        assertThat(index.deliverAt(2, abort)).isEqualTo(new IndexReply.Gap(0));
        assertThat(index.references(1)).isEqualTo(2);

        IndexMessage confirm = new IndexMessage.Confirm(V1, new Retained.All(ReferenceSum.ZERO));
        IndexMessage release =
                new IndexMessage.Release(V1, List.of(new ChunkReference(fp(1), at(5, 1))));
        assertThat(index.deliverAt(1, confirm, release)).isEqualTo(new IndexReply.Delivered(2));
        assertThat(index.references(1)).isEqualTo(1);
        assertThat(index.deliverAt(1, confirm, release)).isEqualTo(new IndexReply.Delivered(2));
        assertThat(index.deliverAt(2, release)).isEqualTo(new IndexReply.Delivered(2));
        assertThat(index.references(1)).isEqualTo(1);
        assertThat(index.deliverAt(2, release, abort)).isEqualTo(new IndexReply.Delivered(3));
        assertThat(index.references(1)).isZero();
    }

    @Test
    void streamsOfDifferentMetadataShardsAreCountedApart() {
        List<byte[]> abort = List.of(MessageCodec.encode(new IndexMessage.Abort(V1)));
        for (int source = 0; source < 3; source++) {
            assertThat(
                            index.apply(
                                    new IndexCommand.Deliver(
                                            index.shard, ShardId.metadata(source), 1, abort)))
                    .isEqualTo(new IndexReply.Delivered(1));
        }
    }

    @Test
    void itemsAreNeverRefusedForTheirAge() {
        index.claim(V1, offer(1, at(5, 1)));
        index.confirm(V1);
        index.claim(V2, offer(2, at(5, 2)));
        index.apply(new IndexCommand.RefuseEpoch(index.shard, 9));
        index.sent();

        index.abort(V2);
        index.release(V1, 1, at(5, 1));
        index.work();

        assertThat(index.sent()).containsExactly("5 FREE [1, 2]");
        assertThat(index.statistics().entries()).isZero();
    }

    @Test
    void anIntentThatFillsOneStepExactlyIsSettled() {
        claimMany(V1, StepSize.USUAL.keptAnswers());
        index.confirm(V1);
        claimMany(V2, StepSize.USUAL.answers());
        index.abort(V2);
        index.work();

        assertThat(IndexQueries.settled(index.store, index.shard, 1)).isTrue();
        assertThat(index.rows(IndexTables.INTENTS)).isZero();
        assertThat(index.rows(IndexTables.ANSWERS)).isZero();
        assertThat(index.statistics().settlingIntents()).isZero();
    }

    @Test
    void aDecidedIntentThatAnEarlierReleaseForgotIsTakenUpWhenItsEpochIsRefused() {
        index.claim(V1, offer(1, at(5, 1)));
        index.abort(V1);
        index.work();
        Intent forgotten =
                new Intent(
                        IndexFixture.HOME,
                        1_000,
                        0,
                        new Intent.Settling(new Retained.None(), fp(1)));
        KvBatch batch = new KvBatch();
        batch.put(IndexTables.INTENTS, IndexTables.key(index.prefix(), V1), forgotten.toBytes());
        index.store.write(batch);
        assertThat(IndexQueries.settled(index.store, index.shard, 1)).isFalse();

        index.apply(new IndexCommand.RefuseEpoch(index.shard, 1));
        index.apply(new IndexCommand.RefuseEpoch(index.shard, 1));
        assertThat(index.statistics().settlingIntents()).isEqualTo(1);
        index.work();

        assertThat(IndexQueries.settled(index.store, index.shard, 1)).isTrue();
        assertThat(index.rows(IndexTables.INTENTS)).isZero();
        assertThat(index.rows(IndexTables.SETTLING)).isZero();
    }

    @Test
    void aLargeIntentIsATombstoneAtOnceAndSettledInBoundedSteps() {
        int chunks = 3 * StepSize.USUAL.answers() + 17;
        claimMany(V1, chunks);
        index.claim(V2, known(5));

        index.abort(V1);

        assertThat(index.tryClaim(V1, known(1))).isInstanceOf(IndexReply.Refused.class);
        assertThat(IndexQueries.openIntents(index.store, index.shard, 1, 10))
                .extracting(open -> open.v())
                .containsExactly(V2);
        index.abort(V2);
        assertThat(IndexQueries.settled(index.store, index.shard, 1)).isFalse();
        assertThat(index.statistics().settlingIntents()).isEqualTo(1);

        assertThat(index.work()).isGreaterThan(4);
        assertThat(IndexQueries.settled(index.store, index.shard, 1)).isTrue();
        assertThat(index.statistics().entries()).isZero();
        assertThat(index.rows(IndexTables.ANSWERS)).isZero();
        assertThat(index.rows(IndexTables.SETTLING)).isZero();
    }

    @Test
    void whatAVerdictRetainsSurvivesTheStepsOfItsSettlement() {
        int chunks = 2 * StepSize.USUAL.answers();
        claimMany(V1, chunks);
        index.deliver(
                new IndexMessage.Confirm(
                        V1, new Retained.AllBut(Set.of(fp(0), fp(chunks - 1)), ReferenceSum.ZERO)));
        index.work();
        assertThat(index.statistics().entries()).isEqualTo(chunks - 2);
        assertThat(index.statistics().histogram().total().references()).isEqualTo(chunks - 2);
    }

    @Test
    void aLargeIntentThatIsKeptWholeTakesFewerSteps() {
        int chunks = StepSize.USUAL.keptAnswers() + 17;
        claimMany(V1, chunks);
        index.deliver(new IndexMessage.Confirm(V1, new Retained.All(ReferenceSum.ZERO)));

        assertThat(index.statistics().settlingIntents()).isEqualTo(1);
        assertThat(index.work()).isEqualTo(2);
        assertThat(index.statistics().entries()).isEqualTo(chunks);
        assertThat(index.rows(IndexTables.ANSWERS)).isZero();
    }

    private void claimMany(V v, int chunks) {
        for (int from = 0; from < chunks; from += 512) {
            List<ClaimItem> items = new ArrayList<>();
            for (int i = from; i < Math.min(from + 512, chunks); i++) {
                items.add(offer(i, at(9, i)));
            }
            index.claim(v, items.toArray(ClaimItem[]::new));
        }
    }

    @Test
    void ofManyItemsOnlySoManyAreAppliedAsTheRowBoundAllows() {
        List<IndexMessage> releases = new ArrayList<>();
        for (int r = 0; r < 3; r++) {
            List<ChunkReference> references = new ArrayList<>();
            for (int i = 0; i < IndexMessage.Release.MAX_REFERENCES; i++) {
                references.add(new ChunkReference(fp(i), at(1 + r * 1_024L + i, 0)));
            }
            releases.add(new IndexMessage.Release(V1, references));
        }
        IndexMessage[] all = releases.toArray(IndexMessage[]::new);

        assertThat(index.deliverAt(1, all)).isEqualTo(new IndexReply.Delivered(1));
        assertThat(index.deliverAt(1, all)).isEqualTo(new IndexReply.Delivered(2));
        assertThat(index.deliverAt(3, all[2])).isEqualTo(new IndexReply.Delivered(3));
        assertThat(index.sent()).hasSize(3 * 1_024);
        expectedAnomalies = 3 * 1_024;
    }

    @Test
    void manyZombiesAreCollectedInBoundedStepsFreeingBatchesByContainer() {
        int chunks = 2 * StepSize.USUAL.zombies() + 3;
        claimMany(V1, chunks);
        index.abort(V1);
        index.sent();
        index.work();

        assertThat(index.statistics().entries()).isZero();
        assertThat(index.statistics().zombies()).isZero();
        assertThat(index.sent()).hasSize(3);
    }

    @Test
    void collectionGoesRoundTheTableAndFindsWhatBecameAZombieBehindIt() {
        int chunks = StepSize.USUAL.zombies() + 10;
        claimMany(V1, chunks);
        index.abort(V1);
        while (index.statistics().zombies() == chunks) {
            index.step();
        }
        index.claim(V2, offer(1, at(8, 1)));
        index.abort(V2);
        index.work();
        assertThat(index.statistics().entries()).isZero();
    }

    @Test
    void releasingMoreThanThereIsIsAnAnomalyThatFreesNothing() {
        index.claim(V1, offer(1, at(5, 1)));
        index.abort(V1);
        index.sent();
        index.release(V2, 1, at(5, 1));
        expectedAnomalies = 1;
        assertThat(index.sent()).isEmpty();
        assertThat(index.references(1)).isZero();
    }

    @Test
    void anEpochIsClosedStepByStep() {
        V later = v(2, 1);
        index.claim(V1, offer(1, at(5, 1)));
        index.claim(later, known(1));
        index.confirm(v(1, 7));
        index.sent();

        assertThat(index.apply(new IndexCommand.ForgetEpoch(index.shard, 1)))
                .isInstanceOf(IndexReply.Refused.class);
        index.apply(new IndexCommand.RefuseEpoch(index.shard, 1));
        assertThat(IndexQueries.settled(index.store, index.shard, 1)).isFalse();
        assertThat(index.apply(new IndexCommand.ForgetEpoch(index.shard, 1)))
                .isInstanceOf(IndexReply.Refused.class);
        index.abort(V1);
        assertThat(IndexQueries.settled(index.store, index.shard, 1)).isTrue();
        assertThat(IndexQueries.settled(index.store, index.shard, 2)).isFalse();

        List<ContainerId> containers = List.of(new ContainerId(5), new ContainerId(6));
        assertThat(index.apply(new IndexCommand.AnnounceClosed(index.shard, 1, containers)))
                .isInstanceOf(IndexReply.Refused.class);
        index.confirm(later);
        assertThat(index.rows(IndexTables.TOMBSTONES)).isEqualTo(3);

        assertThat(index.apply(new IndexCommand.ForgetEpoch(index.shard, 1)))
                .isEqualTo(new IndexReply.Done());
        index.work();
        assertThat(index.rows(IndexTables.TOMBSTONES)).isEqualTo(1);
        assertThat(index.tryClaim(V1, known(1))).isInstanceOf(IndexReply.Refused.class);
        assertThat(index.tryClaim(later, known(1))).isInstanceOf(IndexReply.Refused.class);

        assertThat(index.apply(new IndexCommand.AnnounceClosed(index.shard, 1, containers)))
                .isEqualTo(new IndexReply.Done());
        assertThat(index.sent()).containsExactly("5 CLOSED 1", "6 CLOSED 1");
    }

    @Test
    void aVerdictOfAForgottenEpochLeavesNoTombstone() {
        index.apply(new IndexCommand.RefuseEpoch(index.shard, 3));
        index.apply(new IndexCommand.ForgetEpoch(index.shard, 3));
        index.abort(V1);
        assertThat(index.rows(IndexTables.TOMBSTONES)).isZero();
        assertThat(index.tryClaim(V1, known(1))).isInstanceOf(IndexReply.Refused.class);
    }

    @Test
    void epochStepsRepeatedOrOutdatedChangeNothing() {
        index.apply(new IndexCommand.RefuseEpoch(index.shard, 3));
        index.apply(new IndexCommand.RefuseEpoch(index.shard, 2));
        assertThat(index.tryClaim(v(3, 1), known(1))).isInstanceOf(IndexReply.Refused.class);
        index.claim(v(4, 1), known(1));
    }

    @Test
    void manyTombstonesAreRemovedInBoundedSteps() {
        int attempts = Epochs.STEP_TOMBSTONES + 5;
        for (int i = 1; i <= attempts; i++) {
            index.abort(v(1, i));
        }
        index.abort(v(2, 1));
        index.apply(new IndexCommand.RefuseEpoch(index.shard, 1));
        index.apply(new IndexCommand.ForgetEpoch(index.shard, 1));
        assertThat(index.work()).isEqualTo(2);
        assertThat(index.rows(IndexTables.TOMBSTONES)).isEqualTo(1);
    }

    @Test
    void aGroupWithoutWorkHasNone() {
        assertThat(index.machine.pendingWork(index.store)).isEmpty();
        index.claim(V1, offer(1, at(5, 1)));
        assertThat(index.machine.pendingWork(index.store)).isEmpty();
    }
}
