package io.dedupstore.core.index;

import static io.dedupstore.core.index.IndexFixture.LENGTH;
import static io.dedupstore.core.index.IndexFixture.at;
import static io.dedupstore.core.index.IndexFixture.fp;
import static io.dedupstore.core.index.IndexFixture.known;
import static io.dedupstore.core.index.IndexFixture.miss;
import static io.dedupstore.core.index.IndexFixture.offer;
import static io.dedupstore.core.index.IndexFixture.own;
import static io.dedupstore.core.index.IndexFixture.unindexed;
import static io.dedupstore.core.index.IndexFixture.use;
import static io.dedupstore.core.index.IndexFixture.v;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.IndexShard.OpenIntent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClaimTest {
    private static final V V1 = v(1, 1);
    private static final V V2 = v(1, 2);
    private static final V V3 = v(1, 3);

    private final IndexFixture index = new IndexFixture();

    @AfterEach
    void countersAgreeWithTheRows() {
        if (index.statistics().unreadable() == 0) {
            index.checkCounters("at the end");
        }
    }

    @Test
    void anAbsentChunkWithAnAddressIsOwnedAndAdopted() {
        assertThat(index.claim(V1, offer(1, at(5, 0)))).containsExactly(own(at(5, 0)));

        assertThat(index.entry(1)).isEqualTo(new Entry(at(5, 0), LENGTH, 1, 1_000, false));
        assertThat(index.sent()).containsExactly("5 ADOPT [0]");
        assertThat(index.has(IndexTables.UNIQUE, 1)).isTrue();
    }

    @Test
    void anAbsentChunkWithoutAnAddressIsAMissThatIsNotRecorded() {
        assertThat(index.claim(V1, known(1))).containsExactly(miss());
        assertThat(index.entry(1)).isNull();
        assertThat(index.sent()).isEmpty();

        assertThat(index.claim(V1, offer(1, at(5, 0)))).containsExactly(own(at(5, 0)));
    }

    @Test
    void aClaimOfNothingButMissesStillOpensAnIntentNamingItsCoordinator() {
        index.claim(V1, known(1));

        assertThat(IndexQueries.openIntents(index.store, index.shard, 1, 10))
                .containsExactly(new OpenIntent(V1, IndexFixture.HOME));
        assertThat(IndexQueries.settled(index.store, index.shard, 1)).isFalse();
    }

    @Test
    void aPresentChunkIsUsedAndCountsOnceMoreAndAnotherOfferedAddressIsFreed() {
        index.claim(V1, offer(1, at(5, 0)));
        index.sent();

        assertThat(index.claim(V2, known(1))).containsExactly(use(at(5, 0)));
        assertThat(index.claim(V3, offer(1, at(6, 7)))).containsExactly(use(at(5, 0)));

        assertThat(index.references(1)).isEqualTo(3);
        assertThat(index.sent()).containsExactly("6 FREE [7]");
    }

    @Test
    void anEntryMovesToDuplicateAtItsSecondReferenceAndBackAtItsLast() {
        index.claim(V1, offer(1, at(5, 0)));
        index.claim(V2, known(1));
        assertThat(index.has(IndexTables.DUPLICATE, 1)).isTrue();
        assertThat(index.has(IndexTables.UNIQUE, 1)).isFalse();

        index.abort(V2);
        assertThat(index.has(IndexTables.DUPLICATE, 1)).isFalse();
        assertThat(index.has(IndexTables.UNIQUE, 1)).isTrue();
    }

    @Test
    void recordedAnswersAreRepeatedAndCountNoSecondTime() {
        index.claim(V1, offer(1, at(5, 0)));
        index.claim(V2, known(1));

        assertThat(index.claim(V1, offer(1, at(5, 0)))).containsExactly(own(at(5, 0)));
        assertThat(index.claim(V1, known(1))).containsExactly(own(at(5, 0)));
        assertThat(index.claim(V2, known(1))).containsExactly(use(at(5, 0)));
        assertThat(index.references(1)).isEqualTo(2);
    }

    @Test
    void anotherAddressOfferedForARecordedOneIsFreedAndTheRecordedOneAnswered() {
        index.claim(V1, offer(1, at(5, 0)));
        index.sent();

        assertThat(index.claim(V1, offer(1, at(5, 1)))).containsExactly(own(at(5, 0)));
        assertThat(index.sent()).containsExactly("5 FREE [1]");
        assertThat(index.references(1)).isEqualTo(1);
    }

    /** FINDINGS F2: the repeated claim must not find room and make an entry on the address. */
    @Test
    void unindexedIsRecordedAndRepeatedEvenWhenThereIsRoomAgain() {
        index.limit(0);
        assertThat(index.claim(V1, offer(1, at(5, 0)))).containsExactly(unindexed());
        index.limit(100);

        assertThat(index.claim(V1, offer(1, at(5, 0)))).containsExactly(unindexed());
        assertThat(index.claim(V1, offer(1, at(5, 1)))).containsExactly(unindexed());
        index.confirm(V1);
        index.work();

        assertThat(index.entry(1)).isNull();
        assertThat(index.sent()).isEmpty();
    }

    @Test
    void overTheLimitNewChunksAreUnindexedAndKnownOnesStillUsed() {
        index.limit(2);
        assertThat(
                        index.claim(
                                V1,
                                offer(1, at(5, 1)),
                                offer(2, at(5, 2)),
                                offer(3, at(5, 3)),
                                known(4)))
                .containsExactly(own(at(5, 1)), own(at(5, 2)), unindexed(), unindexed());
        assertThat(index.claim(V2, known(1))).containsExactly(use(at(5, 1)));
        assertThat(index.sent()).containsExactly("5 ADOPT [1, 2]");
        assertThat(index.statistics().entries()).isEqualTo(2);
    }

    @Test
    void aZombieIsRevivedByAClaim() {
        index.claim(V1, offer(1, at(5, 0)));
        index.abort(V1);
        assertThat(index.references(1)).isZero();
        assertThat(index.statistics().zombies()).isEqualTo(1);

        assertThat(index.claim(V2, known(1))).containsExactly(use(at(5, 0)));
        index.work();

        assertThat(index.references(1)).isEqualTo(1);
        assertThat(index.statistics().zombies()).isZero();
        assertThat(index.sent()).containsExactly("5 ADOPT [0]");
    }

    @Test
    void aSuspectChunkIsAnsweredUnindexedAndCountsOnUntilTheFlagIsCleared() {
        index.claim(V1, offer(1, at(5, 0)));
        index.suspect(1, at(5, 0), true);
        assertThat(lookup(1)).isEmpty();

        assertThat(index.claim(V2, offer(1, at(6, 0)))).containsExactly(unindexed());
        assertThat(index.references(1)).isEqualTo(1);

        index.suspect(1, at(5, 0), false);
        assertThat(lookup(1)).contains(at(5, 0));
        assertThat(index.claim(V2, offer(1, at(6, 0)))).containsExactly(unindexed());
        assertThat(index.claim(V3, known(1))).containsExactly(use(at(5, 0)));
        assertThat(index.sent()).containsExactly("5 ADOPT [0]");
    }

    @Test
    void markingAnotherAddressSuspectChangesNothing() {
        index.claim(V1, offer(1, at(5, 0)));
        index.suspect(1, at(5, 1), true);
        index.suspect(2, at(5, 1), true);
        assertThat(index.claim(V2, known(1))).containsExactly(use(at(5, 0)));
    }

    /** FINDINGS F4: the offered address may be a committed one by now. */
    @Test
    void aRefusedClaimChangesNothingAndFreesNothing() {
        index.claim(V1, offer(1, at(5, 0)));
        index.confirm(V1);
        index.sent();
        List<String> before = IndexFixture.dump(index.store);

        assertThat(index.tryClaim(V1, offer(1, at(5, 9)), offer(2, at(5, 2))))
                .isInstanceOfSatisfying(
                        IndexReply.Refused.class,
                        r -> assertThat(r.code()).isEqualTo(IndexReply.Refused.Code.OVER));

        assertThat(IndexFixture.dump(index.store)).isEqualTo(before);
        assertThat(index.sent()).isEmpty();
    }

    @Test
    void aLateClaimAfterAnAbortIsRefusedEvenIfNoneCameBefore() {
        index.abort(V1);
        assertThat(index.tryClaim(V1, offer(1, at(5, 0)))).isInstanceOf(IndexReply.Refused.class);
        assertThat(index.entry(1)).isNull();
    }

    @Test
    void aClaimOfARefusedEpochChangesNothingWhetherItsIntentIsOpenOrNot() {
        index.claim(V1, offer(1, at(5, 0)));
        index.sent();
        index.apply(new IndexCommand.RefuseEpoch(index.shard, 1));
        List<String> before = IndexFixture.dump(index.store);

        assertThat(index.tryClaim(V1, offer(1, at(5, 1)))).isInstanceOf(IndexReply.Refused.class);
        assertThat(index.tryClaim(V2, offer(1, at(5, 2)))).isInstanceOf(IndexReply.Refused.class);

        assertThat(IndexFixture.dump(index.store)).isEqualTo(before);
        assertThat(index.claim(v(2, 1), known(1))).containsExactly(use(at(5, 0)));
    }

    /**
     * FINDINGS F10: a retry is a V of its own and must append anew. The index cannot see who
     * appended a slot, but offering an entry's own address again must not free it.
     */
    @Test
    void offeringTheAddressOfTheEntryItselfUnderAnotherAttemptFreesNothing() {
        index.claim(V1, offer(1, at(5, 0)));
        index.sent();
        assertThat(index.claim(V2, offer(1, at(5, 0)))).containsExactly(use(at(5, 0)));
        assertThat(index.sent()).isEmpty();
        index.abort(V1);
        index.work();
        assertThat(index.references(1)).isEqualTo(1);
        assertThat(index.sent()).isEmpty();
    }

    @Test
    void anAttemptHasOneCoordinator() {
        index.claim(V1, known(1));
        IndexReply reply =
                index.apply(
                        new IndexCommand.Claim(
                                index.shard,
                                V1,
                                ShardId.metadata(7),
                                1_000,
                                List.of(offer(1, at(5, 0)))));
        assertThat(reply).isInstanceOf(IndexReply.Refused.class);
        assertThat(index.entry(1)).isNull();
    }

    @Test
    void anUnreadableEntryIsNeverUsedNeverFreedAndNeverACrash() {
        index.claim(V1, offer(1, at(5, 0)));
        index.confirm(V1);
        index.sent();
        io.dedupstore.core.kv.KvBatch damage = new io.dedupstore.core.kv.KvBatch();
        byte[] key = IndexTables.key(index.prefix(), fp(1));
        index.store.write(damage.put(IndexTables.UNIQUE, key, new byte[] {1, 2, 3}));

        assertThat(lookup(1)).isEmpty();
        assertThat(index.claim(V2, offer(1, at(6, 0)))).containsExactly(unindexed());
        index.release(V1, 1, at(5, 0));
        index.work();

        assertThat(index.sent()).isEmpty();
        assertThat(index.store.get(IndexTables.UNIQUE, key)).isEqualTo(new byte[] {1, 2, 3});
        assertThat(index.statistics().unreadable()).isEqualTo(2);
    }

    @Test
    void aLengthThatIsNotTheEntrysIsNotTheSameChunk() {
        index.claim(V1, offer(1, at(5, 0)));
        ClaimItem other = new ClaimItem(fp(1), at(6, 0), LENGTH + 1);
        assertThat(index.claim(V2, other)).containsExactly(unindexed());
        assertThat(index.sent()).containsExactly("5 ADOPT [0]");
    }

    @Test
    void adoptAndFreeAreBatchedByContainer() {
        index.claim(V1, offer(1, at(5, 1)), offer(2, at(6, 1)), offer(3, at(5, 0)));
        assertThat(index.sent()).containsExactly("5 ADOPT [0, 1]", "6 ADOPT [1]");

        index.claim(V2, offer(1, at(7, 3)), offer(2, at(7, 2)), offer(4, at(7, 1)));
        assertThat(index.sent()).containsExactly("7 ADOPT [1]", "7 FREE [2, 3]");
    }

    @Test
    void theTouchIsTheLatestClaimAndTimeNeverGoesBack() {
        index.time(2_000);
        index.claim(V1, offer(1, at(5, 0)));
        index.time(1_500);
        index.claim(V2, known(1), offer(2, at(5, 1)));

        assertThat(index.entry(1).touched()).isEqualTo(2_000);
        assertThat(index.entry(2).touched()).isEqualTo(2_000);
    }

    @Test
    void aFullClaimOffering512ContainersStaysWithinTheRowBound() {
        ClaimItem[] items = new ClaimItem[IndexCommand.Claim.MAX_ITEMS];
        for (int i = 0; i < items.length; i++) {
            items[i] = offer(i, at(100 + i, 0));
        }
        assertThat(index.claim(V1, items)).hasSize(512);
        for (int i = 0; i < items.length; i++) {
            items[i] = offer(i, at(1_000 + i, 0));
        }
        index.claim(V2, items);
        assertThat(index.sent()).hasSize(1_024);
    }

    @Test
    void anAttemptClaimsAtMostAsManyChunksAsAHolderHas() {
        int claimed = 0;
        while (claimed < Intent.MAX_ANSWERS) {
            index.claim(V1, range(claimed));
            claimed += 512;
        }
        assertThat(index.tryClaim(V1, range(claimed))).isInstanceOf(IndexReply.Refused.class);
        assertThat(index.claim(V1, range(0))).contains(own(at(9, 0)));
    }

    private static ClaimItem[] range(int from) {
        List<ClaimItem> items = new ArrayList<>();
        for (int i = from; i < from + 512; i++) {
            items.add(offer(i, at(9, i)));
        }
        return items.toArray(ClaimItem[]::new);
    }

    @Test
    void claimsThatMakeNoSenseDoNotExist() {
        List<ClaimItem> twice = List.of(offer(1, at(5, 0)), known(1));
        List<ClaimItem> sameSlot = List.of(offer(1, at(5, 0)), offer(2, at(5, 0)));
        List<ClaimItem> tooMany = new ArrayList<>(Collections.nCopies(513, known(1)));
        List<ClaimItem> noLength = List.of(new ClaimItem(fp(1), null, 0));
        for (List<ClaimItem> items : List.of(twice, sameSlot, tooMany, noLength)) {
            assertThatThrownBy(
                            () ->
                                    new IndexCommand.Claim(
                                            index.shard, V1, IndexFixture.HOME, 1_000, items))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void lookupAnswersInOrderAndZombiesCountAsKnown() {
        index.claim(V1, offer(1, at(5, 1)), offer(2, at(5, 2)));
        index.claim(V2, known(2));
        index.abort(V1);

        assertThat(
                        IndexQueries.lookup(
                                index.store, index.shard, List.of(fp(3), fp(2), fp(1), fp(2))))
                .containsExactly(
                        Optional.empty(),
                        Optional.of(at(5, 2)),
                        Optional.of(at(5, 1)),
                        Optional.of(at(5, 2)));
    }

    private Optional<io.dedupstore.core.model.ChunkAddress> lookup(long fp) {
        return IndexQueries.lookup(index.store, index.shard, List.of(fp(fp))).getFirst();
    }
}
