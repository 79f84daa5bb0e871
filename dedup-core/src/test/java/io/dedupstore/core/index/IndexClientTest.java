package io.dedupstore.core.index;

import static io.dedupstore.core.index.IndexFixture.at;
import static io.dedupstore.core.index.IndexFixture.own;
import static io.dedupstore.core.index.IndexFixture.use;
import static io.dedupstore.core.index.IndexFixture.v;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.MemoryKvStore;
import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ClaimException;
import io.dedupstore.core.spi.IndexShard;
import io.dedupstore.core.spi.OutboxShard;
import io.dedupstore.core.state.MessageCodec;
import io.dedupstore.core.state.ReplicatedGroup;
import io.dedupstore.core.state.ReplicationException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class IndexClientTest {
    private static final ShardId HOME = ShardId.metadata(0);
    private static final V V1 = v(1, 1);
    private static final Fingerprint LOW = new Fingerprint(1, 0, 0, 0);
    private static final Fingerprint HIGH = new Fingerprint(-1, 0, 0, 0);

    /** A group of one that applies at once, until it is told to answer no more. */
    private static final class LocalGroup implements ReplicatedGroup {
        private final IndexStateMachine machine;
        private final MemoryKvStore store = new MemoryKvStore(IndexTables.ALL);
        private boolean down;

        LocalGroup(ShardId... shards) {
            machine = new IndexStateMachine(List.of(shards));
        }

        @Override
        public byte[] submit(byte[] command) {
            requireUp();
            KvTransaction rows = new KvTransaction(store);
            byte[] reply = machine.apply(rows, command);
            store.write(rows.toBatch());
            return reply;
        }

        @Override
        public <T> T read(Function<KvReader, T> query) {
            requireUp();
            return query.apply(store);
        }

        @Override
        public <T> T readLocal(Function<KvReader, T> query) {
            return read(query);
        }

        private void requireUp() {
            if (down) {
                throw new ReplicationException(ReplicationException.Code.UNKNOWN, "down");
            }
        }

        void work() {
            for (Optional<byte[]> next = machine.pendingWork(store);
                    next.isPresent();
                    next = machine.pendingWork(store)) {
                submit(next.get());
            }
        }
    }

    private final InstantSource clock = InstantSource.fixed(Instant.ofEpochSecond(1_000));
    private final LocalGroup first = new LocalGroup(ShardId.index(0), ShardId.index(1));
    private final LocalGroup second = new LocalGroup(ShardId.index(2));
    private final IndexClient index = new IndexClient(List.of(first, first, second), clock);

    private static List<ClaimItem> items(Fingerprint fingerprint, int slot) {
        return List.of(new ClaimItem(fingerprint, at(5, slot), 100));
    }

    @Test
    void shardsAreEqualRangesOfTheFingerprints() {
        int[] counts = new int[3];
        for (long i = 0; i < 3_000; i++) {
            long word = i * Long.divideUnsigned(-1L, 3_000) + 12_345;
            ShardId shard = index.shardOf(new Fingerprint(word, 0, 0, 0));
            counts[shard.number()]++;
        }
        assertThat(counts).containsExactly(1_000, 1_000, 1_000);
        assertThat(index.shardOf(new Fingerprint(0, 0, 0, 0))).isEqualTo(ShardId.index(0));
        assertThat(index.shardOf(HIGH)).isEqualTo(ShardId.index(2));
        IndexClient single = new IndexClient(List.of(first), clock);
        assertThat(single.shardOf(HIGH)).isEqualTo(ShardId.index(0));
    }

    @Test
    void lookupAsksEachShardAndKeepsTheOrder() {
        index.claim(ShardId.index(0), V1, HOME, items(LOW, 1));
        index.claim(ShardId.index(2), V1, HOME, items(HIGH, 2));

        Fingerprint unknown = new Fingerprint(Long.MIN_VALUE, 1, 1, 1);
        assertThat(index.lookup(List.of(HIGH, unknown, LOW, HIGH)))
                .containsExactly(
                        Optional.of(at(5, 2)),
                        Optional.empty(),
                        Optional.of(at(5, 1)),
                        Optional.of(at(5, 2)));
        assertThat(index.lookup(List.of())).isEmpty();
    }

    @Test
    void chunksOfAShardThatIsDownCountAsUnknown() {
        index.claim(ShardId.index(0), V1, HOME, items(LOW, 1));
        index.claim(ShardId.index(2), V1, HOME, items(HIGH, 2));
        second.down = true;
        assertThat(index.lookup(List.of(HIGH, LOW)))
                .containsExactly(Optional.empty(), Optional.of(at(5, 1)));
    }

    @Test
    void aClaimWithoutAnAnswerIsUnknownAndMayBeRepeated() {
        second.down = true;
        assertThatThrownBy(() -> index.claim(ShardId.index(2), V1, HOME, items(HIGH, 1)))
                .isInstanceOfSatisfying(
                        ClaimException.class,
                        e -> assertThat(e.code()).isEqualTo(ClaimException.Code.UNKNOWN))
                .hasCauseInstanceOf(ReplicationException.class);
        second.down = false;
        assertThat(index.claim(ShardId.index(2), V1, HOME, items(HIGH, 1)))
                .containsExactly(own(at(5, 1)));
    }

    @Test
    void aClaimOfASettledAttemptIsRefused() {
        index.shards().getFirst().deliver(HOME, 1, abort(V1));
        assertThatThrownBy(() -> index.claim(ShardId.index(0), V1, HOME, items(LOW, 1)))
                .isInstanceOfSatisfying(
                        ClaimException.class,
                        e -> assertThat(e.code()).isEqualTo(ClaimException.Code.REFUSED));
    }

    @Test
    void aFingerprintOfAnotherShardIsRefusedBeforeItIsSent() {
        assertThatThrownBy(() -> index.claim(ShardId.index(0), V1, HOME, items(HIGH, 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shardsOfOneGroupAreKeptApart() {
        Fingerprint middle = new Fingerprint(Long.MAX_VALUE, 0, 0, 0);
        index.claim(ShardId.index(0), V1, HOME, items(LOW, 1));
        index.claim(ShardId.index(1), V1, HOME, items(middle, 2));
        index.shards().get(0).deliver(HOME, 1, abort(V1));
        first.work();

        assertThat(index.shards().get(0).statistics().entries()).isZero();
        assertThat(index.shards().get(1).statistics().entries()).isEqualTo(1);
        assertThat(index.shards().get(0).openIntents(9, 9)).isEmpty();
        assertThat(index.shards().get(1).openIntents(9, 9))
                .containsExactly(new IndexShard.OpenIntent(V1, HOME));
        index.shards().get(1).deliver(HOME, 1, abort(V1));
        first.work();
        assertThat(index.shards().get(1).statistics().entries()).isZero();
    }

    @Test
    void streamsAreReadAndAcknowledgedThroughTheShard() {
        index.claim(ShardId.index(0), V1, HOME, items(LOW, 1));
        IndexShard shard = index.shards().getFirst();
        Destination stream = new Destination.Container(new ContainerId(5));

        assertThat(shard.readyStreams(null, 10)).containsExactly(stream);
        OutboxShard.Run run = shard.read(stream, 10);
        assertThat(run.firstSequence()).isEqualTo(1);
        assertThat(MessageCodec.decodeStorage(run.messages().getFirst()))
                .isEqualTo(new StorageMessage.Adopt(new int[] {1}));
        shard.acknowledge(List.of(new StreamPosition(stream, 1)));
        assertThat(shard.readyStreams(null, 10)).isEmpty();
    }

    @Test
    void anEpochIsClosedThroughTheShard() {
        index.claim(ShardId.index(0), V1, HOME, items(LOW, 1));
        IndexShard shard = index.shards().getFirst();
        shard.refuseEpoch(1);
        assertThat(shard.settled(1)).isFalse();
        assertThatThrownBy(() -> shard.forgetEpoch(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("TOO_EARLY");
        shard.deliver(HOME, 1, abort(V1));
        assertThat(shard.settled(1)).isTrue();
        shard.forgetEpoch(1);
        List<ContainerId> containers = new ArrayList<>();
        for (int i = 1; i <= IndexCommand.AnnounceClosed.MAX_CONTAINERS + 1; i++) {
            containers.add(new ContainerId(100 + i));
        }
        shard.announceClosed(1, containers);
        assertThat(shard.readyStreams(null, 5_000)).hasSize(containers.size() + 1);
    }

    @Test
    void deliveryTellsHowFarTheStreamIsAppliedAndRefusesAGap() {
        IndexShard shard = index.shards().getFirst();
        assertThat(shard.deliver(HOME, 1, List.of())).isZero();
        assertThat(shard.deliver(HOME, 1, abort(V1))).isEqualTo(1);
        assertThat(shard.deliver(HOME, 2, List.of())).isEqualTo(1);
        assertThatThrownBy(() -> shard.deliver(HOME, 3, abort(V1)))
                .isInstanceOf(ReplicationException.class)
                .hasMessageContaining("gap");
    }

    @Test
    void theEntryLimitAndSuspicionReachTheShard() {
        IndexShardClient shard = index.shards().getFirst();
        shard.setEntryLimit(OptionalLong.of(0));
        assertThat(index.claim(ShardId.index(0), V1, HOME, items(LOW, 1)))
                .containsExactly(IndexFixture.unindexed());
        shard.setEntryLimit(OptionalLong.empty());
        index.claim(ShardId.index(0), v(1, 2), HOME, items(LOW, 2));
        io.dedupstore.core.model.ChunkReference reference =
                new io.dedupstore.core.model.ChunkReference(LOW, at(5, 2));
        shard.markSuspect(List.of(reference), true);
        assertThat(index.lookup(List.of(LOW))).containsExactly(Optional.empty());
        shard.markSuspect(List.of(reference), false);
        assertThat(index.claim(ShardId.index(0), v(1, 3), HOME, items(LOW, 3)))
                .containsExactly(use(at(5, 2)));
    }

    @Test
    void theHistogramCountsByPowersOfTwo() {
        index.claim(ShardId.index(0), v(1, 100), HOME, items(LOW, 0));
        for (int i = 0; i < 4; i++) {
            index.claim(ShardId.index(0), v(1, i), HOME, items(LOW, 10 + i));
        }
        Histogram histogram = index.shards().getFirst().statistics().histogram();
        assertThat(histogram.buckets().get(2)).isEqualTo(new Histogram.Bucket(1, 5, 100, 500));
        assertThat(histogram.total()).isEqualTo(new Histogram.Bucket(1, 5, 100, 500));
    }

    private static List<byte[]> abort(V v) {
        return List.of(MessageCodec.encode(new IndexMessage.Abort(v)));
    }
}
