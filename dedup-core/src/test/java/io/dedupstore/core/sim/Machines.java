package io.dedupstore.core.sim;

import io.dedupstore.core.control.ControlStateMachine;
import io.dedupstore.core.index.IndexStateMachine;
import io.dedupstore.core.metadata.MetadataStateMachine;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.ShardId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The machines of a small world and storage, as tables. The first places of a state are the numbers
 * of their rows.
 */
final class Machines {
    static final int META = 0;
    static final int IDX = 1;
    static final int STORE = 2;
    static final int CONTROL = 3;
    private static final ShardId INDEX = ShardId.index(0);
    private static final Set<ShardId> SHARDS = Set.of(INDEX, Actor.HOME);

    final Numbered<ByteBuffer> commands = new Numbered<>();
    final Machine metadata;
    final Machine index;
    final Machine control = new Machine(new ControlStateMachine(), commands);
    final Numbered<Slots> storage = new Numbered<>();
    final Invariants invariants = new Invariants();

    /** Shards whose CLOSED storage waits for. */
    final Set<ShardId> required;

    Machines(Mutant mutant) {
        this.metadata =
                new Machine(
                        mutant.metadata(new MetadataStateMachine(List.of(Actor.HOME), 1)),
                        commands);
        this.index = new Machine(mutant.index(new IndexStateMachine(List.of(INDEX))), commands);
        this.required = mutant.requiredStreams(SHARDS);
        storage.of(Slots.NONE);
    }

    Slots slots(int[] state) {
        return storage.get(state[STORE]);
    }

    /** Containers that the metadata shard has something to tell. */
    List<ContainerId> fromMetadata(int[] state) {
        return containers(invariants.streams(metadata, state[META], Actor.HOME));
    }

    /** Containers that the index shard has something to tell. */
    List<ContainerId> fromIndex(int[] state) {
        return containers(invariants.streams(index, state[IDX], INDEX));
    }

    boolean hasItemsForIndex(int[] state) {
        return invariants
                .streams(metadata, state[META], Actor.HOME)
                .contains(new Destination.Shard(INDEX));
    }

    private static List<ContainerId> containers(List<Destination> streams) {
        List<ContainerId> containers = new ArrayList<>();
        for (Destination stream : streams) {
            if (stream instanceof Destination.Container(ContainerId id)) {
                containers.add(id);
            }
        }
        return containers;
    }

    void check(int[] state) {
        invariants.check(metadata, state[META], index, state[IDX], slots(state), state[STORE]);
    }

    void checkRest(int[] state) {
        invariants.checkRest(metadata, state[META], index, state[IDX], slots(state));
    }

    @Override
    public String toString() {
        return "%d metadata, %d index, %d storage states, %d commands applied"
                .formatted(
                        metadata.states(),
                        index.states(),
                        storage.size(),
                        metadata.applied() + index.applied() + control.applied());
    }
}
