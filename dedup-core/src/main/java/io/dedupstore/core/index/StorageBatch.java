package io.dedupstore.core.index;

import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.state.Outbox;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * ADOPT and FREE of one command, one item of each kind for each container. Their order within a
 * command does not matter: no command does both to one slot.
 */
final class StorageBatch {
    private final Map<ContainerId, SortedSet<Integer>> adopted = new TreeMap<>();
    private final Map<ContainerId, SortedSet<Integer>> freed = new TreeMap<>();

    void adopt(ChunkAddress address) {
        add(adopted, address);
    }

    void free(ChunkAddress address) {
        add(freed, address);
    }

    private static void add(Map<ContainerId, SortedSet<Integer>> slots, ChunkAddress address) {
        slots.computeIfAbsent(address.container(), c -> new TreeSet<>()).add(address.slot());
    }

    void send(Outbox outbox, KvTransaction rows) {
        adopted.forEach(
                (container, slots) ->
                        outbox.append(
                                rows,
                                new Destination.Container(container),
                                new StorageMessage.Adopt(array(slots))));
        freed.forEach(
                (container, slots) ->
                        outbox.append(
                                rows,
                                new Destination.Container(container),
                                new StorageMessage.Free(array(slots))));
    }

    private static int[] array(SortedSet<Integer> slots) {
        return slots.stream().mapToInt(Integer::intValue).toArray();
    }
}
