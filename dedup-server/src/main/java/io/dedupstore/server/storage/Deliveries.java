package io.dedupstore.server.storage;

import io.dedupstore.core.container.ContainerException;
import io.dedupstore.core.container.SlotTable;
import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.spi.ChunkStoreException;
import io.dedupstore.core.spi.ContainerNode.Delivery;
import io.dedupstore.core.spi.ContainerNode.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Applies the items of outbox streams to slot states. One delivery is one durable batch: states,
 * stream position and counts together, so a redelivery finds either all of it or nothing.
 *
 * <p>Deliveries to several containers share their sync: what each changes is worked out under its
 * container's monitor, in ascending order of containers, and written while all of them are held.
 * Nobody else holds more than one of these monitors, so nobody waits in a circle.
 */
final class Deliveries {
    private static final long GONE = Long.MAX_VALUE;

    private final ContainerCatalog catalog;
    private final Function<byte[], StorageMessage> codec;

    /** What a delivery will have changed once {@code batch} is durable. */
    private record Change(
            StoredContainer container,
            ContainerRow row,
            long lastApplied,
            List<Integer> freedSlots,
            KvBatch batch) {}

    Deliveries(ContainerCatalog catalog, Function<byte[], StorageMessage> codec) {
        this.catalog = catalog;
        this.codec = codec;
    }

    long deliver(ContainerId id, ShardId source, long firstSequence, List<byte[]> messages) {
        Delivery one = new Delivery(id, firstSequence, messages);
        return switch (deliver(source, List.of(one)).getFirst()) {
            case Outcome.Applied(long lastApplied) -> lastApplied;
            case Outcome.Failed(RuntimeException cause) -> throw cause;
        };
    }

    /** Outcomes in the order of the deliveries. */
    List<Outcome> deliver(ShardId source, List<Delivery> deliveries) {
        List<Delivery> ascending =
                deliveries.stream().sorted(Comparator.comparing(Delivery::container)).toList();
        for (int i = 1; i < ascending.size(); i++) {
            if (ascending.get(i).container().equals(ascending.get(i - 1).container())) {
                throw new IllegalArgumentException(
                        "two deliveries to container " + ascending.get(i).container());
            }
        }
        Map<ContainerId, Outcome> outcomes = new HashMap<>();
        new Together(source, ascending, outcomes).from(0);
        return deliveries.stream().map(one -> outcomes.get(one.container())).toList();
    }

    /** Deliveries that become durable together. */
    private final class Together {
        private final ShardId source;
        private final List<Delivery> deliveries;
        private final Map<ContainerId, Outcome> outcomes;
        private final List<Change> changes = new ArrayList<>();

        Together(ShardId source, List<Delivery> deliveries, Map<ContainerId, Outcome> outcomes) {
            this.source = source;
            this.deliveries = deliveries;
            this.outcomes = outcomes;
        }

        /** One level for each monitor: they can only be held by nesting. */
        void from(int index) {
            if (index == deliveries.size()) {
                writeAll();
                return;
            }
            Delivery delivery = deliveries.get(index);
            StoredContainer container;
            try {
                container = find(delivery.container());
            } catch (RuntimeException e) {
                outcomes.put(delivery.container(), new Outcome.Failed(e));
                from(index + 1);
                return;
            }
            if (container == null) {
                outcomes.put(delivery.container(), new Outcome.Applied(GONE));
                from(index + 1);
                return;
            }
            synchronized (container) {
                try {
                    prepare(container, delivery);
                } catch (RuntimeException e) {
                    outcomes.put(delivery.container(), new Outcome.Failed(e));
                }
                from(index + 1);
            }
        }

        private void prepare(StoredContainer container, Delivery delivery) {
            if (container.isGone()) {
                outcomes.put(container.id(), new Outcome.Applied(GONE));
                return;
            }
            StreamRow stream = catalog.stream(container, source);
            List<byte[]> messages = delivery.messages();
            long skip = stream.lastApplied() + 1 - delivery.firstSequence();
            if (skip < 0 || skip >= messages.size()) {
                // A gap, or nothing new.
                outcomes.put(container.id(), new Outcome.Applied(stream.lastApplied()));
                return;
            }
            List<StorageMessage> fresh =
                    messages.subList((int) skip, messages.size()).stream().map(codec).toList();
            changes.add(change(container, source, stream, fresh));
        }

        /** One batch for each drive. */
        private void writeAll() {
            Map<Drive, List<Change>> byDrive = new LinkedHashMap<>();
            for (Change change : changes) {
                byDrive.computeIfAbsent(change.container().drive(), d -> new ArrayList<>())
                        .add(change);
            }
            byDrive.forEach(this::write);
        }

        private void write(Drive drive, List<Change> ofDrive) {
            KvBatch all = new KvBatch();
            ofDrive.forEach(change -> all.writes().addAll(change.batch().writes()));
            try {
                drive.log().write(all);
            } catch (RuntimeException e) {
                for (Change change : ofDrive) {
                    outcomes.put(change.container().id(), new Outcome.Failed(e));
                }
                return;
            }
            for (Change change : ofDrive) {
                change.container().row(change.row());
                catalog.noteFreed(change.container(), change.freedSlots());
                outcomes.put(change.container().id(), new Outcome.Applied(change.lastApplied()));
            }
        }
    }

    /** Null when it is gone for good. */
    private @Nullable StoredContainer find(ContainerId id) {
        StoredContainer container = catalog.find(id);
        if (container == null && !catalog.isGone(id)) {
            throw new ChunkStoreException(
                    ChunkStoreException.Code.UNAVAILABLE,
                    "container " + id + " is on no drive of this node; its items stay queued");
        }
        return container;
    }

    private Change change(
            StoredContainer container,
            ShardId source,
            StreamRow stream,
            List<StorageMessage> messages) {
        ContainerRow row = container.row();
        SlotPages pages = new SlotPages(container.drive().kv(), container.id());
        SlotChanges changes = new SlotChanges(pages, table(container), row);
        int closedBefore = catalog.closedEpoch(container, source, stream);
        int closed = stream.closedEpoch();
        for (StorageMessage message : messages) {
            switch (message) {
                case StorageMessage.Adopt(int[] slots) ->
                        advance(changes, slots, SlotState.ADOPTED);
                case StorageMessage.Free(int[] slots) -> advance(changes, slots, SlotState.FREED);
                case StorageMessage.Closed(int epoch) -> closed = Math.max(closed, epoch);
            }
        }
        StreamRow applied = new StreamRow(stream.lastApplied() + messages.size(), closed);
        int closedNow = catalog.closedEpoch(container, source, applied);
        if (closedNow > closedBefore) {
            changes.close(closedNow);
        }
        ContainerRow newRow = row.withStates(changes.adopted(), changes.freed());
        KvBatch batch = new KvBatch();
        pages.writeTo(batch);
        batch.put(
                StateTables.STREAMS,
                StateTables.streamKey(container.id(), source),
                applied.encode());
        batch.put(StateTables.CONTAINERS, StateTables.key(container.id()), newRow.encode());
        return new Change(container, newRow, applied.lastApplied(), changes.freedSlots(), batch);
    }

    private static void advance(SlotChanges changes, int[] slots, SlotState to) {
        for (int slot : slots) {
            changes.advance(slot, to);
        }
    }

    /** Records in the file; none when the file is lost, whose items must not wait for ever. */
    private SlotTable table(StoredContainer container) {
        try (ContainerView view = catalog.view(container)) {
            return view.table();
        } catch (ContainerException e) {
            return new SlotTable();
        } catch (IOException e) {
            if (isLost(container)) {
                return new SlotTable();
            }
            throw new ChunkStoreException(
                    ChunkStoreException.Code.UNAVAILABLE,
                    "container " + container.id() + " can't be read: " + e.getMessage(),
                    e);
        }
    }

    private boolean isLost(StoredContainer container) {
        try {
            return container.live() == null && !catalog.disk().exists(container.path());
        } catch (IOException e) {
            return false;
        }
    }
}
