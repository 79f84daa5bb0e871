package io.dedupstore.core.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.control.Bootstrap;
import io.dedupstore.core.control.ClusterLayout;
import io.dedupstore.core.control.ControlClient;
import io.dedupstore.core.control.ControlStateMachine;
import io.dedupstore.core.control.SecretCipher;
import io.dedupstore.core.control.Session;
import io.dedupstore.core.index.IndexClient;
import io.dedupstore.core.index.IndexShardClient;
import io.dedupstore.core.index.IndexStateMachine;
import io.dedupstore.core.index.IndexStatistics;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.MemoryKvStore;
import io.dedupstore.core.metadata.Keeping;
import io.dedupstore.core.metadata.MetadataClient;
import io.dedupstore.core.metadata.MetadataService.VersionSpec;
import io.dedupstore.core.metadata.MetadataStateMachine;
import io.dedupstore.core.metadata.NewBody;
import io.dedupstore.core.metadata.ObjectAttributes;
import io.dedupstore.core.metadata.Precondition;
import io.dedupstore.core.metadata.ReplicatedMetadataShard;
import io.dedupstore.core.metadata.ShardMap;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkSums;
import io.dedupstore.core.model.ClaimAnswer;
import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ContainerNode;
import io.dedupstore.core.spi.IndexShard;
import io.dedupstore.core.spi.OutboxShard;
import io.dedupstore.core.state.MessageCodec;
import io.dedupstore.core.state.ReplicatedGroup;
import io.dedupstore.core.state.ReplicationException;
import io.dedupstore.core.state.StateMachine;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * A session ends in the middle of everything; its epoch is closed by the real machines, shards and
 * streams, with every single entry once lost and once answered into the void. Whoever closes it is
 * replaced each time.
 */
class EpochCloseTest {
    private static final ContainerId CONTAINER = new ContainerId(1);
    private static final BucketId BUCKET = new BucketId(7);
    private static final ShardId HOME = ShardId.metadata(0);
    private static final int LENGTH = 100;
    private static final int MAX_ROUNDS = 500;

    private enum Fault {
        NONE,
        REQUEST_LOST,
        ANSWER_LOST
    }

    @Test
    void whatASessionLeftIsSettledWhateverIsLostOnTheWay() {
        World world = new World(Fault.NONE, -1);
        int entries = world.closeTheEpoch();
        assertThat(entries).isGreaterThan(10);
        for (int at = 0; at < entries; at++) {
            for (Fault fault : List.of(Fault.REQUEST_LOST, Fault.ANSWER_LOST)) {
                new World(fault, at).closeTheEpoch();
            }
        }
    }

    /** A cluster of one shard of each kind after its first session has ended. */
    private static final class World {
        private final Fault fault;
        private final int faultAt;
        private final String where;
        private int entries;
        private boolean armed;
        private final Group controlGroup = new Group(new ControlStateMachine());
        private final Group indexGroup =
                new Group(new IndexStateMachine(List.of(ShardId.index(0))));
        private final Group metadataGroup = new Group(new MetadataStateMachine(List.of(HOME), 1));
        private final Node node = new Node();
        private final ControlClient control =
                new ControlClient(
                        controlGroup,
                        new SecretCipher(new byte[32]),
                        InstantSource.system(),
                        new Random(1));
        private final IndexClient index =
                new IndexClient(List.of(indexGroup), InstantSource.system());
        private final MetadataClient metadata =
                new MetadataClient(
                        new ShardMap() {
                            @Override
                            public ShardId homeOf(BucketId bucket) {
                                return HOME;
                            }

                            @Override
                            public ReplicatedGroup groupOf(ShardId shard) {
                                return metadataGroup;
                            }
                        },
                        () -> 1_700_000_000_000L,
                        Duration.ofMillis(1),
                        millis -> true);
        private final ReplicatedMetadataShard metadataShard =
                new ReplicatedMetadataShard(HOME, metadataGroup);
        private EpochCloser closer;
        private List<OutboxPump> pumps;

        World(Fault fault, int faultAt) {
            this.fault = fault;
            this.faultAt = faultAt;
            this.where = fault + " at entry " + faultAt;
            control.bootstrap(new Bootstrap(new ClusterLayout(1, 1), "KEY", "secret"));
            Session session = control.openSession("node");
            leaveThings(session);
            control.endSession(session);
            control.openSession("node");
            takeOver();
            armed = true;
        }

        /**
         * Slot 0 is overwritten's and its successor's, 1 claimed and never committed, 2 written and
         * never claimed, 3 owned without the index.
         */
        private void leaveThings(Session session) {
            for (int slot = 0; slot < 4; slot++) {
                node.write(slot, session.epoch());
            }
            put("k", new V(session.epoch(), session.session(), 1), true);
            put("k", new V(session.epoch(), session.session(), 2), false);
            V abandoned = new V(session.epoch(), session.session(), 3);
            claim(abandoned, 1, at(1));
            V unindexed = new V(session.epoch(), session.session(), 4);
            ManifestEntry own =
                    new ManifestEntry(
                            ManifestEntry.Kind.UNINDEXED,
                            fingerprint(3),
                            at(3),
                            LENGTH,
                            new ChunkSums(1, 2, 3));
            commit("own", unindexed, own, Map.of());
        }

        private void put(String key, V v, boolean first) {
            ClaimAnswer answer = claim(v, 0, first ? at(0) : null);
            assertThat(answer)
                    .isEqualTo(first ? new ClaimAnswer.Own(at(0)) : new ClaimAnswer.Use(at(0)));
            ManifestEntry entry =
                    new ManifestEntry(
                            ManifestEntry.Kind.INDEXED,
                            fingerprint(0),
                            at(0),
                            LENGTH,
                            new ChunkSums(1, 2, 3));
            commit(
                    key,
                    v,
                    entry,
                    Map.of(ShardId.index(0), new Retained.All(ReferenceSum.of(entry.reference()))));
        }

        private ClaimAnswer claim(V v, long chunk, ChunkAddress offered) {
            return index.claim(
                            ShardId.index(0),
                            v,
                            HOME,
                            List.of(new ClaimItem(fingerprint(chunk), offered, LENGTH)))
                    .getFirst();
        }

        private void commit(String key, V v, ManifestEntry entry, Map<ShardId, Retained> claimed) {
            metadata.putObject(
                    BUCKET,
                    ObjectKey.of(key),
                    new NewBody.Holder(v, List.of(), LENGTH, 0, List.of(entry), claimed, LENGTH),
                    new VersionSpec("etag", ObjectAttributes.NONE, List.of(), Keeping.UNVERSIONED),
                    new Precondition.None());
        }

        private static Fingerprint fingerprint(long chunk) {
            return new Fingerprint(chunk, 0, 0, chunk);
        }

        private static ChunkAddress at(int slot) {
            return new ChunkAddress(CONTAINER, slot);
        }

        private void takeOver() {
            List<IndexShardClient> indexShards = index.shards();
            List<ReplicatedMetadataShard> metadataShards = List.of(metadataShard);
            closer = new EpochCloser(control, indexShards, metadataShards, List.of(node));
            Map<ShardId, IndexShard> byId = new HashMap<>();
            indexShards.forEach(shard -> byId.put(shard.id(), shard));
            List<OutboxShard> sources = new ArrayList<>(metadataShards);
            sources.addAll(indexShards);
            pumps =
                    sources.stream()
                            .map(source -> new OutboxPump(source, byId, container -> node))
                            .toList();
        }

        /** How many entries it took. */
        int closeTheEpoch() {
            int rounds = 0;
            while (control.closedEpoch() < 1 || pumps.stream().anyMatch(OutboxPump::hasItems)) {
                assertThat(rounds++).as(where).isLessThan(MAX_ROUNDS);
                round();
            }
            IndexStatistics statistics = index.shards().getFirst().statistics();
            assertThat(statistics.entries()).as(where).isEqualTo(1);
            assertThat(statistics.histogram().total().references()).as(where).isEqualTo(1);
            assertThat(statistics.openIntents() + statistics.settlingIntents()).as(where).isZero();
            assertThat(statistics.zombies() + statistics.anomalies()).as(where).isZero();
            assertThat(statistics.audit().balanced()).as(where).isTrue();
            assertThat(statistics.audit().checks()).as(where).isPositive();
            assertThat(statistics.audit().failures()).as(where).isZero();
            assertThat(node.states)
                    .as(where)
                    .containsExactlyEntriesOf(
                            new TreeMap<>(
                                    Map.of(0, "ADOPTED", 1, "FREED", 2, "FREED", 3, "ADOPTED")));
            return entries;
        }

        private void round() {
            try {
                closer.step();
                indexGroup.work();
                metadataGroup.work();
                pumps.forEach(OutboxPump::step);
            } catch (RuntimeException e) {
                assertThat(e).hasMessageContaining(where);
                takeOver();
            }
        }

        /** A group of one replica that applies at once, and loses one request or answer. */
        private final class Group implements ReplicatedGroup {
            private final StateMachine machine;
            private final MemoryKvStore store;

            Group(StateMachine machine) {
                this.machine = machine;
                this.store = new MemoryKvStore(machine.tables());
            }

            @Override
            public byte[] submit(byte[] command) {
                boolean fails = armed && entries++ == faultAt;
                if (fails && fault == Fault.REQUEST_LOST) {
                    throw new ReplicationException(ReplicationException.Code.UNKNOWN, where);
                }
                KvTransaction rows = new KvTransaction(store);
                byte[] reply = machine.apply(rows, command);
                store.write(rows.toBatch());
                if (fails) {
                    throw new ReplicationException(ReplicationException.Code.UNKNOWN, where);
                }
                return reply;
            }

            void work() {
                Optional<byte[]> command = machine.pendingWork(store);
                command.ifPresent(this::submit);
            }

            @Override
            public <T> T read(Function<KvReader, T> query) {
                return query.apply(store);
            }

            @Override
            public <T> T readLocal(Function<KvReader, T> query) {
                return query.apply(store);
            }
        }
    }

    /** One container's slots, as a storage node keeps them. */
    private static final class Node implements ContainerNode {
        private final TreeMap<Integer, String> states = new TreeMap<>();
        private final Map<Integer, Integer> epochs = new HashMap<>();
        private final Map<ShardId, Long> applied = new HashMap<>();
        private final Map<ShardId, Integer> closed = new HashMap<>();
        private int refusedEpoch;

        void write(int slot, int epoch) {
            assertThat(epoch).isGreaterThan(refusedEpoch);
            states.put(slot, "WRITTEN");
            epochs.put(slot, epoch);
        }

        @Override
        public long deliver(
                ContainerId container, ShardId source, long first, List<byte[]> messages) {
            long before = applied.getOrDefault(source, 0L);
            assertThat(first).isLessThanOrEqualTo(before + 1);
            for (int i = (int) (before + 1 - first); i < messages.size(); i++) {
                apply(source, MessageCodec.decodeStorage(messages.get(i)));
                applied.merge(source, 1L, Long::sum);
            }
            return applied.getOrDefault(source, 0L);
        }

        private void apply(ShardId source, StorageMessage message) {
            switch (message) {
                case StorageMessage.Adopt(int[] slots) -> {
                    for (int slot : slots) {
                        assertThat(states.get(slot)).as("ADOPT of " + slot).isEqualTo("WRITTEN");
                        states.put(slot, "ADOPTED");
                    }
                }
                case StorageMessage.Free(int[] slots) -> {
                    for (int slot : slots) {
                        assertThat(slot).as("FREE of a slot in use").isIn(1, 2);
                        states.put(slot, "FREED");
                    }
                }
                case StorageMessage.Closed(int epoch) -> {
                    closed.merge(source, epoch, Math::max);
                    if (closed.keySet().equals(Set.of(HOME, ShardId.index(0)))) {
                        reclaim(closed.values().stream().mapToInt(e -> e).min().orElseThrow());
                    }
                }
            }
        }

        private void reclaim(int epoch) {
            states.replaceAll(
                    (slot, state) ->
                            state.equals("WRITTEN") && epochs.get(slot) <= epoch ? "FREED" : state);
        }

        @Override
        public void refuseEpoch(int epoch) {
            refusedEpoch = Math.max(refusedEpoch, epoch);
        }

        @Override
        public List<ContainerId> containersWithOrphans(int epoch) {
            return states.entrySet().stream()
                            .anyMatch(
                                    e ->
                                            e.getValue().equals("WRITTEN")
                                                    && epochs.get(e.getKey()) <= epoch)
                    ? List.of(CONTAINER)
                    : List.of();
        }
    }
}
