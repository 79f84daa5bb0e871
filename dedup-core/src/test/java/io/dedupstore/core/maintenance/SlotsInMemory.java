package io.dedupstore.core.maintenance;

import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.spi.ContainerNode;
import io.dedupstore.core.spi.SlotCut;
import io.dedupstore.core.state.MessageCodec;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Slot states as a storage node keeps them; a cut copies them all. */
final class SlotsInMemory implements ContainerNode {
    private static final int SLOTS = 100;

    private final NavigableMap<ContainerId, Container> containers = new TreeMap<>();
    private long last;

    private static final class Container {
        private int next;
        private BitSet adopted = new BitSet();
        private BitSet freed = new BitSet();
        private BitSet recorded = new BitSet();
        private BitSet expired = new BitSet();
        private Map<ShardId, Long> applied = new HashMap<>();

        Container copy() {
            Container copy = new Container();
            copy.adopted = (BitSet) adopted.clone();
            copy.freed = (BitSet) freed.clone();
            copy.recorded = (BitSet) recorded.clone();
            copy.expired = (BitSet) expired.clone();
            copy.applied = new HashMap<>(applied);
            return copy;
        }
    }

    /** Two containers take turns, so that groups of containers are small. */
    ChunkAddress append() {
        if (containers.isEmpty() || containers.lastEntry().getValue().next == SLOTS) {
            containers.put(new ContainerId(++last), new Container());
        }
        Container open = containers.lastEntry().getValue();
        open.recorded.set(open.next);
        return new ChunkAddress(containers.lastKey(), open.next++);
    }

    @Override
    public long deliver(ContainerId id, ShardId source, long first, List<byte[]> messages) {
        Container container = containers.get(id);
        long before = container.applied.getOrDefault(source, 0L);
        for (long i = before + 1 - first; i < messages.size(); i++) {
            switch (MessageCodec.decodeStorage(messages.get((int) i))) {
                case StorageMessage.Adopt(int[] slots) -> set(container.adopted, slots);
                case StorageMessage.Free(int[] slots) -> set(container.freed, slots);
                case StorageMessage.Closed(int epoch) -> {}
            }
            container.applied.merge(source, 1L, Long::sum);
        }
        return container.applied.getOrDefault(source, 0L);
    }

    private static void set(BitSet bits, int[] slots) {
        for (int slot : slots) {
            bits.set(slot);
        }
    }

    @Override
    public void refuseEpoch(int epoch) {}

    @Override
    public List<ContainerId> containersWithOrphans(int epoch) {
        return List.of();
    }

    // ---- faults ----

    void free(ChunkAddress address) {
        containers.get(address.container()).freed.set(address.slot());
    }

    void adopt(ChunkAddress address) {
        containers.get(address.container()).adopted.set(address.slot());
    }

    void forgetAdoption(ChunkAddress address) {
        containers.get(address.container()).adopted.clear(address.slot());
    }

    void loseRecord(ChunkAddress address) {
        containers.get(address.container()).recorded.clear(address.slot());
    }

    void expire(ChunkAddress address) {
        containers.get(address.container()).expired.set(address.slot());
    }

    void lose(ContainerId container) {
        containers.remove(container);
    }

    SlotCut cut() {
        NavigableMap<ContainerId, Container> copies = new TreeMap<>();
        containers.forEach((id, container) -> copies.put(id, container.copy()));
        return new Cut(copies);
    }

    private final class Cut implements SlotCut {
        private final NavigableMap<ContainerId, Container> copies;

        Cut(NavigableMap<ContainerId, Container> copies) {
            this.copies = copies;
        }

        @Override
        public List<ContainerId> containers() {
            return List.copyOf(copies.keySet());
        }

        @Override
        public long applied(ContainerId container, ShardId source) {
            return copies.get(container).applied.getOrDefault(source, 0L);
        }

        @Override
        public Slots slots(ContainerId id, int closedEpoch) {
            Container copy = copies.get(id);
            // Records are looked up in the file as it is now.
            return new Slots(
                    (BitSet) copy.adopted.clone(),
                    (BitSet) copy.freed.clone(),
                    (BitSet) containers.get(id).recorded.clone(),
                    (BitSet) copy.expired.clone());
        }

        @Override
        public void close() {}
    }
}
