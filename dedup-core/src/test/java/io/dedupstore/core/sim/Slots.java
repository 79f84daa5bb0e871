package io.dedupstore.core.sim;

import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.model.V;
import io.dedupstore.core.state.MessageCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All containers at one moment: what {@link SimStorage} knows, as a value. A slot is written,
 * adopted, freed, each only forwards.
 */
record Slots(Map<ContainerId, Container> containers, int refusedEpoch) {
    static final Slots NONE = new Slots(Map.of(), 0);

    enum State {
        WRITTEN,
        ADOPTED,
        FREED
    }

    record Slot(Fingerprint fingerprint, V v, State state) {}

    /**
     * @param applied the number of the last item of each stream
     * @param closed the epoch that each shard has closed
     */
    record Container(List<Slot> slots, Map<ShardId, Long> applied, Map<ShardId, Integer> closed) {
        static final Container EMPTY = new Container(List.of(), Map.of(), Map.of());

        Container {
            slots = List.copyOf(slots);
            applied = Map.copyOf(applied);
            closed = Map.copyOf(closed);
        }

        Container with(int slot, State state) {
            List<Slot> after = new ArrayList<>(slots);
            Slot before = slots.get(slot);
            after.set(slot, new Slot(before.fingerprint(), before.v(), state));
            return new Container(after, applied, closed);
        }

        Container with(ShardId source, long last) {
            Map<ShardId, Long> after = new TreeMap<>(applied);
            after.put(source, last);
            return new Container(slots, after, closed);
        }

        Container withClosed(ShardId source, int epoch) {
            Map<ShardId, Integer> after = new TreeMap<>(closed);
            after.merge(source, epoch, Math::max);
            return new Container(slots, applied, after);
        }
    }

    private Slots with(ContainerId id, Container container) {
        Map<ContainerId, Container> after = new TreeMap<>(containers);
        after.put(id, container);
        return new Slots(after, refusedEpoch);
    }

    private Container container(ContainerId id) {
        return containers.getOrDefault(id, Container.EMPTY);
    }

    int count(ContainerId id) {
        return container(id).slots().size();
    }

    Slots append(ContainerId id, Fingerprint fingerprint, V v) {
        List<Slot> slots = new ArrayList<>(container(id).slots());
        slots.add(new Slot(fingerprint, v, State.WRITTEN));
        return with(id, new Container(slots, container(id).applied(), container(id).closed()));
    }

    Slots refuse(int epoch) {
        return new Slots(containers, Math.max(refusedEpoch, epoch));
    }

    long applied(ContainerId id, ShardId source) {
        return container(id).applied().getOrDefault(source, 0L);
    }

    int closed(ContainerId id, ShardId source) {
        return container(id).closed().getOrDefault(source, 0);
    }

    /**
     * @param required shards whose CLOSED is waited for
     */
    Slots deliver(
            ContainerId id,
            ShardId source,
            long first,
            List<byte[]> messages,
            Set<ShardId> required) {
        long before = applied(id, source);
        if (first > before + 1) {
            return this;
        }
        Container container = container(id);
        for (int i = (int) (before + 1 - first); i < messages.size(); i++) {
            container =
                    apply(container, source, MessageCodec.decodeStorage(messages.get(i)), required);
        }
        return with(id, container.with(source, Math.max(before, first + messages.size() - 1)));
    }

    private static Container apply(
            Container before, ShardId source, StorageMessage message, Set<ShardId> required) {
        Container container = before;
        switch (message) {
            case StorageMessage.Adopt(int[] slots) -> {
                for (int slot : slots) {
                    if (container.slots().get(slot).state() != State.WRITTEN) {
                        throw new AssertionError(
                                "ADOPT of a slot that is " + container.slots().get(slot));
                    }
                    container = container.with(slot, State.ADOPTED);
                }
            }
            case StorageMessage.Free(int[] slots) -> {
                for (int slot : slots) {
                    container = container.with(slot, State.FREED);
                }
            }
            case StorageMessage.Closed(int epoch) ->
                    container = reclaim(container.withClosed(source, epoch), required);
        }
        return container;
    }

    private static Container reclaim(Container before, Set<ShardId> required) {
        if (!before.closed().keySet().containsAll(required)) {
            return before;
        }
        int epoch = before.closed().values().stream().mapToInt(e -> e).min().orElse(0);
        Container container = before;
        for (int i = 0; i < before.slots().size(); i++) {
            if (isOrphan(before.slots().get(i), epoch)) {
                container = container.with(i, State.FREED);
            }
        }
        return container;
    }

    private static boolean isOrphan(Slot slot, int epoch) {
        return slot.state() == State.WRITTEN && slot.v().epoch() <= epoch;
    }

    List<ContainerId> withOrphans(int epoch) {
        return containers.entrySet().stream()
                .filter(one -> one.getValue().slots().stream().anyMatch(s -> isOrphan(s, epoch)))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    Slot slot(ChunkAddress address) {
        return container(address.container()).slots().get(address.slot());
    }

    Set<ChunkAddress> in(State state) {
        Set<ChunkAddress> found = new TreeSet<>();
        containers.forEach(
                (id, container) -> {
                    for (int i = 0; i < container.slots().size(); i++) {
                        if (container.slots().get(i).state() == state) {
                            found.add(new ChunkAddress(id, i));
                        }
                    }
                });
        return found;
    }
}
