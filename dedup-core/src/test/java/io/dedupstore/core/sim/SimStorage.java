package io.dedupstore.core.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ChunkOpener;
import io.dedupstore.core.spi.ChunkStore;
import io.dedupstore.core.spi.ChunkStoreException;
import io.dedupstore.core.spi.ContainerNode;
import io.dedupstore.core.state.MessageCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Containers and slot states as DESIGN says a storage node keeps them: written, adopted, freed,
 * each only forwards; orphans of an epoch become garbage when every required shard has closed it.
 */
final class SimStorage implements ChunkStore, ContainerNode {
    private static final int SLOTS = 6;

    private final Random random;
    private final Network network;
    private final Set<ShardId> required;

    /** Addresses that live holders have now. */
    private final Supplier<Set<ChunkAddress>> live;

    private final Map<ContainerId, Container> containers = new TreeMap<>();
    private long lastContainer;
    private final LongSupplier millis;
    private int refusedEpoch;
    private int failPercent;
    private @Nullable ShardId unheard;

    private enum State {
        WRITTEN,
        ADOPTED,
        FREED
    }

    private static final class Slot {
        private final Fingerprint fingerprint;
        private final byte[] bytes;
        private final V v;
        private final long bornMillis;
        private State state = State.WRITTEN;
        private @Nullable ShardId owner;

        Slot(Fingerprint fingerprint, byte[] bytes, V v, long bornMillis) {
            this.fingerprint = fingerprint;
            this.bytes = bytes;
            this.v = v;
            this.bornMillis = bornMillis;
        }
    }

    private static final class Container {
        private final List<Slot> slots = new ArrayList<>();
        private final Map<ShardId, Long> applied = new HashMap<>();
        private final Map<ShardId, Integer> closed = new HashMap<>();
    }

    SimStorage(
            Random random,
            Network network,
            Set<ShardId> required,
            LongSupplier millis,
            Supplier<Set<ChunkAddress>> live) {
        this.random = random;
        this.network = network;
        this.required = Set.copyOf(required);
        this.millis = millis;
        this.live = live;
    }

    void faults(int percent) {
        failPercent = percent;
    }

    /** Nothing that this shard sends arrives; null for none. */
    void cutOff(@Nullable ShardId shard) {
        unheard = shard;
    }

    @Override
    public List<ChunkAddress> append(V v, DomainId domain, List<NewChunk> chunks) {
        return network.call(
                () -> appendNow(v, chunks),
                () ->
                        new ChunkStoreException(
                                ChunkStoreException.Code.UNAVAILABLE, "no answer to the append"));
    }

    private List<ChunkAddress> appendNow(V v, List<NewChunk> chunks) {
        if (v.epoch() <= refusedEpoch) {
            throw new ChunkStoreException(ChunkStoreException.Code.STALE, v + " is closed");
        }
        List<ChunkAddress> addresses = new ArrayList<>();
        for (NewChunk chunk : chunks) {
            if (random.nextInt(100) < failPercent) {
                throw new ChunkStoreException(ChunkStoreException.Code.UNAVAILABLE, "disk");
            }
            ContainerId id = new ContainerId(Math.max(1, lastContainer));
            Container container = containers.computeIfAbsent(id, c -> new Container());
            if (container.slots.size() == SLOTS) {
                id = new ContainerId(++lastContainer);
                container = containers.computeIfAbsent(id, c -> new Container());
            }
            lastContainer = id.value();
            byte[] bytes = new byte[chunk.stored().remaining()];
            chunk.stored().duplicate().get(bytes);
            addresses.add(new ChunkAddress(id, container.slots.size()));
            container.slots.add(new Slot(chunk.fingerprint(), bytes, v, millis.getAsLong()));
        }
        return addresses;
    }

    @Override
    public List<ChunkAddress> copy(V v, List<Wanted> chunks) {
        List<NewChunk> copies = new ArrayList<>();
        for (Wanted chunk : chunks) {
            Slot slot = slot(chunk.address());
            if (slot.state == State.FREED) {
                throw new ChunkStoreException(ChunkStoreException.Code.GONE, "freed");
            }
            assertThat(slot.fingerprint).isEqualTo(chunk.fingerprint());
            copies.add(
                    new NewChunk(
                            chunk.fingerprint(), 0, chunk.length(), ByteBuffer.wrap(slot.bytes)));
        }
        return append(v, new DomainId(1), copies);
    }

    @Override
    public boolean heal(ChunkAddress damaged, Wanted whole) {
        Slot slot = slot(damaged);
        assertThat(slot.fingerprint).isEqualTo(whole.fingerprint());
        return slot.state != State.FREED;
    }

    private Slot slot(ChunkAddress address) {
        return containers.get(address.container()).slots.get(address.slot());
    }

    @Override
    public void read(List<Wanted> chunks, ByteBuffer target, ChunkOpener opener) {
        for (Wanted chunk : chunks) {
            target.put(bytes(chunk.address(), chunk.fingerprint()));
        }
    }

    /** I1: what a live holder refers to is there, and is what it says. */
    byte[] bytes(ChunkAddress address, Fingerprint fingerprint) {
        Slot slot = slot(address);
        assertThat(slot.state).as("state of %s", address).isNotEqualTo(State.FREED);
        assertThat(slot.fingerprint).as("content at %s", address).isEqualTo(fingerprint);
        return slot.bytes;
    }

    // ---- streams ----

    @Override
    public long deliver(ContainerId id, ShardId source, long first, List<byte[]> messages) {
        if (source.equals(unheard)) {
            throw new ChunkStoreException(ChunkStoreException.Code.UNAVAILABLE, "cut off");
        }
        return network.call(
                () -> apply(id, source, first, messages),
                () ->
                        new ChunkStoreException(
                                ChunkStoreException.Code.UNAVAILABLE, "no answer to a delivery"));
    }

    private long apply(ContainerId id, ShardId source, long first, List<byte[]> messages) {
        Container container = containers.get(id);
        long before = container.applied.getOrDefault(source, 0L);
        if (first > before + 1) {
            return before;
        }
        for (int i = (int) (before + 1 - first); i < messages.size(); i++) {
            apply(id, container, source, MessageCodec.decodeStorage(messages.get(i)));
            container.applied.merge(source, 1L, Long::sum);
        }
        return container.applied.getOrDefault(source, 0L);
    }

    private void apply(
            ContainerId id, Container container, ShardId source, StorageMessage message) {
        switch (message) {
            case StorageMessage.Adopt(int[] slots) -> {
                for (int slot : slots) {
                    adopt(container.slots.get(slot), source, id + ":" + slot);
                }
            }
            case StorageMessage.Free(int[] slots) -> {
                for (int slot : slots) {
                    free(new ChunkAddress(id, slot), container.slots.get(slot), "FREE");
                }
            }
            case StorageMessage.Closed(int epoch) -> closed(id, source, epoch);
        }
    }

    /**
     * The same owner may say it again, as a holder does that has a chunk in several rows of its
     * manifest. Two owners of one slot would be the end of one of them.
     */
    private static void adopt(Slot slot, ShardId owner, String name) {
        if (slot.state != State.ADOPTED || !owner.equals(slot.owner)) {
            assertThat(slot.state).as("ADOPT %s", name).isEqualTo(State.WRITTEN);
        }
        slot.state = State.ADOPTED;
        slot.owner = owner;
    }

    /** A shard has said its last word on slots of these epochs. */
    void closed(ContainerId id, ShardId source, int epoch) {
        Container container = containers.get(id);
        container.closed.merge(source, epoch, Math::max);
        if (container.closed.keySet().containsAll(required)) {
            reclaim(id, container);
        }
    }

    /** I3: nothing that a live holder has is ever freed. */
    private void free(ChunkAddress address, Slot slot, String by) {
        assertThat(live.get()).as("%s %s of %s", by, address, slot.v).doesNotContain(address);
        slot.state = State.FREED;
    }

    private void reclaim(ContainerId id, Container container) {
        int epoch = container.closed.values().stream().mapToInt(e -> e).min().orElse(0);
        for (int i = 0; i < container.slots.size(); i++) {
            Slot slot = container.slots.get(i);
            if (slot.state == State.WRITTEN && slot.v.epoch() <= epoch) {
                free(new ChunkAddress(id, i), slot, "reclaim");
            }
        }
    }

    /**
     * A slot that nobody has adopted or freed.
     *
     * @param refused whether its epoch takes no more appends
     */
    record Orphan(Fingerprint fingerprint, long bornMillis, boolean refused) {}

    /** Takes orphans back without having been told to: what only planted bugs do. */
    void reclaimWhere(Predicate<Orphan> test) {
        containers.forEach(
                (id, container) -> {
                    for (int i = 0; i < container.slots.size(); i++) {
                        Slot slot = container.slots.get(i);
                        boolean refused = slot.v.epoch() <= refusedEpoch;
                        if (slot.state == State.WRITTEN
                                && test.test(
                                        new Orphan(slot.fingerprint, slot.bornMillis, refused))) {
                            free(new ChunkAddress(id, i), slot, "reclaim");
                        }
                    }
                });
    }

    @Override
    public void refuseEpoch(int epoch) {
        refusedEpoch = Math.max(refusedEpoch, epoch);
    }

    @Override
    public List<ContainerId> containersWithOrphans(int epoch) {
        List<ContainerId> orphaned = new ArrayList<>();
        containers.forEach(
                (id, container) -> {
                    if (container.slots.stream()
                            .anyMatch(s -> s.state == State.WRITTEN && s.v.epoch() <= epoch)) {
                        orphaned.add(id);
                    }
                });
        return orphaned;
    }

    /** Slots in use. */
    Set<ChunkAddress> adopted() {
        return inState(State.ADOPTED);
    }

    Set<ChunkAddress> written() {
        return inState(State.WRITTEN);
    }

    private Set<ChunkAddress> inState(State state) {
        Set<ChunkAddress> found = new TreeSet<>();
        containers.forEach(
                (id, container) -> {
                    for (int i = 0; i < container.slots.size(); i++) {
                        if (container.slots.get(i).state == state) {
                            found.add(new ChunkAddress(id, i));
                        }
                    }
                });
        return found;
    }
}
