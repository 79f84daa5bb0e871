package io.dedupstore.core.sim;

import io.dedupstore.core.control.ControlClient;
import io.dedupstore.core.control.EpochClosing;
import io.dedupstore.core.control.SecretCipher;
import io.dedupstore.core.index.IndexClient;
import io.dedupstore.core.index.IndexShardClient;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.maintenance.EpochCloser;
import io.dedupstore.core.metadata.ReplicatedMetadataShard;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.spi.ContainerNode;
import io.dedupstore.core.spi.OutboxShard;
import io.dedupstore.core.state.MessageCodec;
import io.dedupstore.core.state.Outbox;
import io.dedupstore.core.state.ReplicatedGroup;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/** What the clients of the shards see and change of a state. */
final class StateView {
    private static final ShardId INDEX = ShardId.index(0);
    private static final int MAX_TOGETHER = 1000;

    private final Machines machines;
    private final int[] state;

    StateView(Machines machines, int[] state) {
        this.machines = machines;
        this.state = state;
    }

    private final class Group implements ReplicatedGroup {
        private final Machine machine;
        private final int place;

        Group(Machine machine, int place) {
            this.machine = machine;
            this.place = place;
        }

        @Override
        public byte[] submit(byte[] command) {
            long result =
                    machine.apply(state[place], machines.commands.of(ByteBuffer.wrap(command)));
            state[place] = (int) (result >>> 32);
            return machines.commands.get((int) result).array().clone();
        }

        @Override
        public <T> T read(Function<KvReader, T> query) {
            return query.apply(machine.rows(state[place]));
        }

        @Override
        public <T> T readLocal(Function<KvReader, T> query) {
            return read(query);
        }
    }

    ControlClient control() {
        return new ControlClient(
                new Group(machines.control, Machines.CONTROL),
                new SecretCipher(new byte[32]),
                () -> Instant.ofEpochSecond(Actor.SECONDS),
                new Random(1));
    }

    ReplicatedMetadataShard home() {
        return new ReplicatedMetadataShard(Actor.HOME, new Group(machines.metadata, Machines.META));
    }

    IndexShardClient indexShard() {
        return new IndexClient(
                        List.of(new Group(machines.index, Machines.IDX)),
                        () -> Instant.ofEpochSecond(Actor.SECONDS))
                .shards()
                .getFirst();
    }

    void deliverToIndex(boolean heard) {
        Destination stream = new Destination.Shard(INDEX);
        ReplicatedMetadataShard source = home();
        // What is not heard of comes again, with what is queued behind it by then.
        OutboxShard.Run run = source.read(stream, heard ? 1 : MAX_TOGETHER);
        long upTo = indexShard().deliver(source.id(), run.firstSequence(), run.messages());
        if (heard) {
            source.acknowledge(List.of(new StreamPosition(stream, upTo)));
        }
    }

    void deliver(OutboxShard source, ContainerId container) {
        Destination stream = new Destination.Container(container);
        OutboxShard.Run run = source.read(stream, MAX_TOGETHER);
        Slots slots =
                machines.slots(state)
                        .deliver(
                                container,
                                source.id(),
                                run.firstSequence(),
                                run.messages(),
                                machines.required);
        state[Machines.STORE] = machines.storage.of(slots);
        source.acknowledge(
                List.of(new StreamPosition(stream, slots.applied(container, source.id()))));
    }

    void deliverAllToStorage() {
        machines.fromMetadata(state).forEach(id -> deliver(home(), id));
        machines.fromIndex(state).forEach(id -> deliver(indexShard(), id));
    }

    void closeStep() {
        ControlClient control = control();
        boolean waits =
                control.epochClosing()
                        .filter(one -> one.step() == EpochClosing.Step.RECLAIM_ORPHANS)
                        .filter(one -> hasOrphans(one.epoch()) && isAnnounced(one.epoch()))
                        .isPresent();
        if (!waits) {
            new EpochCloser(control, List.of(indexShard()), List.of(home()), List.of(new Node()))
                    .step();
        }
    }

    /** Another closer would say it again, which is harmless and without end. */
    private boolean isAnnounced(int epoch) {
        return machines.slots(state).withOrphans(epoch).stream()
                .allMatch(
                        id ->
                                hasSaidClosed(
                                                Actor.HOME,
                                                machines.metadata.rows(state[Machines.META]),
                                                id,
                                                epoch)
                                        && hasSaidClosed(
                                                INDEX,
                                                machines.index.rows(state[Machines.IDX]),
                                                id,
                                                epoch));
    }

    private boolean hasOrphans(int epoch) {
        return !machines.slots(state).withOrphans(epoch).isEmpty();
    }

    private boolean hasSaidClosed(ShardId shard, Rows rows, ContainerId id, int epoch) {
        boolean[] said = {machines.slots(state).closed(id, shard) >= epoch};
        new Outbox(shard)
                .forEachItem(
                        rows,
                        new Destination.Container(id),
                        0,
                        bytes ->
                                said[0] |=
                                        MessageCodec.decodeStorage(bytes)
                                                        instanceof StorageMessage.Closed(int closed)
                                                && closed >= epoch);
        return said[0];
    }

    private final class Node implements ContainerNode {
        @Override
        public long deliver(
                ContainerId container, ShardId source, long first, List<byte[]> messages) {
            throw new UnsupportedOperationException("the closer delivers nothing");
        }

        @Override
        public void refuseEpoch(int epoch) {
            state[Machines.STORE] = machines.storage.of(machines.slots(state).refuse(epoch));
        }

        @Override
        public List<ContainerId> containersWithOrphans(int epoch) {
            return machines.slots(state).withOrphans(epoch);
        }
    }
}
