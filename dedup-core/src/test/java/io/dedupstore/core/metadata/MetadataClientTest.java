package io.dedupstore.core.metadata;

import static io.dedupstore.core.metadata.CommitTest.assertRefused;
import static io.dedupstore.core.metadata.TestStore.BUCKET;
import static io.dedupstore.core.metadata.TestStore.chunks;
import static io.dedupstore.core.metadata.TestStore.inline;
import static io.dedupstore.core.metadata.TestStore.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.metadata.MetadataException.Code;
import io.dedupstore.core.model.V;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetadataClientTest {
    private final TestStore store = new TestStore();

    @Test
    void aLostAnswerIsAskedForAgainAndTakesEffectOnce() {
        ObjectVersion source = store.put("a", chunks(1));
        store.group.loseAnswers(2);
        ObjectVersion version = store.copy(source, "b");
        assertThat(store.client.findObject(BUCKET, key("b"))).contains(version);
        store.delete("a");
        store.delete("b");
        store.rest();
        assertThat(store.released(source.v())).hasSize(1);
    }

    @Test
    void aLostRequestIsSentAgain() {
        store.group.loseRequests(3);
        store.put("k", inline(store.v(), 1));
        assertThat(store.client.findObject(BUCKET, key("k"))).isPresent();
    }

    @Test
    void withoutAnAnswerUntilTheDeadlineTheOutcomeIsUnknown() {
        store.group.loseAnswers(1_000_000);
        assertRefused(Code.UNKNOWN, () -> store.put("k", inline(store.v(), 1)));
        assertThat(store.group.submits()).isBetween(2, 50);
    }

    @Test
    void aClosedEpochIsNotAskedTwice() {
        store.shard.refuseEpoch(1);
        int before = store.group.submits();
        assertRefused(Code.UNKNOWN, () -> store.put("k", inline(store.v(), 1)));
        assertThat(store.group.submits()).isEqualTo(before + 1);
    }

    @Test
    void abandoningNeverThrows() {
        V v = store.v();
        store.group.loseRequests(1);
        store.client.abandon(BUCKET, key("k"), v, Map.of());
        store.put("k", inline(v, 1));
    }
}
