package io.dedupstore.server.storage;

import io.dedupstore.core.container.ContainerException;
import io.dedupstore.core.container.SlotTable;
import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.spi.ChunkStoreException;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/**
 * Applies the items of outbox streams to slot states. One delivery is one durable batch: states,
 * stream position and counts together, so a redelivery finds either all of it or nothing.
 */
final class Deliveries {
    private static final long GONE = Long.MAX_VALUE;

    private final ContainerCatalog catalog;
    private final Function<byte[], StorageMessage> codec;

    Deliveries(ContainerCatalog catalog, Function<byte[], StorageMessage> codec) {
        this.catalog = catalog;
        this.codec = codec;
    }

    long deliver(ContainerId id, ShardId source, long firstSequence, List<byte[]> messages) {
        StoredContainer container = catalog.find(id);
        if (container == null) {
            if (catalog.isGone(id)) {
                return GONE;
            }
            throw new ChunkStoreException(
                    ChunkStoreException.Code.UNAVAILABLE,
                    "container " + id + " is on no drive of this node; its items stay queued");
        }
        synchronized (container) {
            if (container.isGone()) {
                return GONE;
            }
            StreamRow stream = catalog.stream(container, source);
            long skip = stream.lastApplied() + 1 - firstSequence;
            if (skip < 0 || skip >= messages.size()) {
                // A gap, or nothing new.
                return stream.lastApplied();
            }
            List<StorageMessage> fresh =
                    messages.subList((int) skip, messages.size()).stream().map(codec).toList();
            return apply(container, source, stream, fresh);
        }
    }

    private long apply(
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
        container.drive().log().write(batch);
        container.row(newRow);
        catalog.noteFreed(container, changes.freedSlots());
        return applied.lastApplied();
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
