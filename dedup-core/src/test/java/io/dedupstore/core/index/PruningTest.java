package io.dedupstore.core.index;

import static io.dedupstore.core.index.IndexFixture.LENGTH;
import static io.dedupstore.core.index.IndexFixture.SHARD;
import static io.dedupstore.core.index.IndexFixture.at;
import static io.dedupstore.core.index.IndexFixture.fp;
import static io.dedupstore.core.index.IndexFixture.known;
import static io.dedupstore.core.index.IndexFixture.miss;
import static io.dedupstore.core.index.IndexFixture.offer;
import static io.dedupstore.core.index.IndexFixture.own;
import static io.dedupstore.core.index.IndexFixture.use;
import static io.dedupstore.core.index.IndexFixture.v;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.V;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PruningTest {
    private static final V V1 = v(1, 1);
    private static final V V2 = v(1, 2);
    private static final V V3 = v(1, 3);

    private final IndexFixture index = new IndexFixture();

    private IndexReply prune(long untouchedSince, long... fingerprints) {
        List<Fingerprint> named = new ArrayList<>();
        for (long fingerprint : fingerprints) {
            named.add(fp(fingerprint));
        }
        return index.apply(new IndexCommand.Prune(SHARD, untouchedSince, named));
    }

    private static IndexReply pruned(int entries) {
        return new IndexReply.Pruned(entries, (long) entries * LENGTH);
    }

    /** Chunk 1 with one reference, touched at 1000, of a committed attempt. */
    private void committed() {
        index.time(1_000);
        index.claim(V1, offer(1, at(5, 1)));
        index.confirm(V1);
        index.sent();
    }

    @Test
    void aPrunedChunkIsFreedDirectlyByItsOwner() {
        committed();
        assertThat(prune(1_000, 1)).isEqualTo(pruned(1));
        assertThat(index.entry(1)).isNull();
        assertThat(index.statistics().pruned()).isEqualTo(1);
        assertThat(index.statistics().prunedBytes()).isEqualTo(LENGTH);
        assertThat(index.sent()).as("pruning frees nothing").isEmpty();
        index.release(V1, 1, at(5, 1));
        assertThat(index.sent()).containsExactly("5 FREE [1]");
        assertThat(index.statistics().pruned()).isZero();
        assertThat(index.statistics().prunedBytes()).isZero();
        index.checkCounters("after release");
    }

    @Test
    void pruningTwiceIsPruningOnce() {
        committed();
        assertThat(prune(1_000, 1)).isEqualTo(pruned(1));
        assertThat(prune(1_000, 1)).isEqualTo(pruned(0));
        assertThat(index.statistics().pruned()).isEqualTo(1);
    }

    @Test
    void theOwnerOfAPrunedChunkDoesNotTouchTheEntryOfItsLaterCopy() {
        committed();
        prune(1_000, 1);
        index.claim(V2, offer(1, at(6, 2)));
        index.confirm(V2);
        index.sent();
        index.release(V1, 1, at(5, 1));
        assertThat(index.sent()).containsExactly("5 FREE [1]");
        assertThat(index.references(1)).isEqualTo(1);
        assertThat(index.claim(V3, known(1))).containsExactly(use(at(6, 2)));
    }

    @Test
    void whatWasTouchedLaterStays() {
        committed();
        assertThat(prune(999, 1)).isEqualTo(pruned(0));
        assertThat(index.references(1)).isEqualTo(1);
    }

    @Test
    void whatIsSharedStays() {
        committed();
        index.claim(V2, known(1));
        index.confirm(V2);
        assertThat(prune(Entry.MAX_TIME, 1)).isEqualTo(pruned(0));
        assertThat(index.references(1)).isEqualTo(2);
    }

    @Test
    void aZombieStaysForCollection() {
        committed();
        index.release(V1, 1, at(5, 1));
        assertThat(prune(Entry.MAX_TIME, 1)).isEqualTo(pruned(0));
        index.work();
        assertThat(index.sent()).containsExactly("5 FREE [1]");
    }

    @Test
    void aSuspectStaysToBeHealed() {
        committed();
        index.suspect(1, at(5, 1), true);
        assertThat(prune(Entry.MAX_TIME, 1)).isEqualTo(pruned(0));
        assertThat(index.references(1)).isEqualTo(1);
    }

    @Test
    void whatAnOpenIntentHoldsStaysHoweverLateTheClock() {
        index.time(1_000);
        index.claim(V1, offer(1, at(5, 1)));
        assertThat(prune(Entry.MAX_TIME, 1)).isEqualTo(pruned(0));
        index.confirm(V1);
        assertThat(prune(Entry.MAX_TIME, 1)).isEqualTo(pruned(1));
    }

    @Test
    void aRevivedZombieIsHeldByTheIntentThatRevivedIt() {
        committed();
        index.release(V1, 1, at(5, 1));
        index.time(2_000);
        assertThat(index.claim(V2, known(1))).containsExactly(use(at(5, 1)));
        assertThat(prune(Entry.MAX_TIME, 1)).isEqualTo(pruned(0));
    }

    @Test
    void anEntryTouchedBeforeTheOldestIntentOpenedIsPrunedBesideIt() {
        committed();
        index.time(2_000);
        index.claim(V2, offer(2, at(5, 2)));
        assertThat(prune(Entry.MAX_TIME, 1, 2)).isEqualTo(pruned(1));
        assertThat(index.entry(1)).isNull();
        assertThat(index.references(2)).isEqualTo(1);
    }

    @Test
    void aClockThatGoesBackCannotMakeAHeldEntryLookOld() {
        index.time(5_000);
        index.claim(V1, offer(1, at(5, 1)));
        index.time(1);
        index.claim(V2, offer(2, at(5, 2)));
        assertThat(prune(4_999, 1, 2)).isEqualTo(pruned(0));
    }

    @Test
    void anUnreadableEntryIsNeverPruned() {
        committed();
        byte[] key = IndexTables.key(index.prefix(), fp(1));
        index.store.write(
                new io.dedupstore.core.kv.KvBatch()
                        .put(IndexTables.UNIQUE, key, new byte[Entry.BYTES]));
        assertThat(prune(Entry.MAX_TIME, 1)).isEqualTo(pruned(0));
        assertThat(index.store.get(IndexTables.UNIQUE, key)).isNotNull();
    }

    @Test
    void aPrunedChunkIsUnknownToTheNextWriter() {
        committed();
        prune(1_000, 1);
        assertThat(index.claim(V2, known(1))).containsExactly(miss());
        assertThat(index.claim(V2, offer(1, at(6, 1)))).containsExactly(own(at(6, 1)));
    }

    @Test
    void sampledGhostsTellWhatPruningCost() {
        index.time(1_000);
        for (int n = 1; n <= 160; n++) {
            index.claim(v(1, n), offer(n, at(5, n)));
            index.confirm(v(1, n));
        }
        for (int n = 1; n <= 160; n++) {
            assertThat(prune(1_000, n)).isEqualTo(pruned(1));
        }
        assertThat(index.statistics().ghosts()).isEqualTo(new IndexStatistics.Ghosts(160, 0, 0));
        for (int n = 1; n <= 80; n++) {
            index.claim(v(2, n), offer(n, at(6, n)));
        }
        assertThat(index.statistics().ghosts())
                .isEqualTo(new IndexStatistics.Ghosts(80, 80, 80L * LENGTH));
    }
}
