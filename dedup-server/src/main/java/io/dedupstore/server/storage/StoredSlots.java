package io.dedupstore.server.storage;

import io.dedupstore.core.container.ContainerException;
import io.dedupstore.core.container.SlotTable;
import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvSnapshot;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.spi.ChunkStoreException;
import io.dedupstore.core.spi.SlotCut;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slot states of all drives as of one moment. Records are looked up in the files as they are now:
 * what was compacted away since is told from what was lost by its state now. Platform threads only.
 */
final class StoredSlots implements SlotCut {
    private static final Logger LOG = LoggerFactory.getLogger(StoredSlots.class);

    private final ContainerCatalog catalog;
    private final Map<Drive, KvSnapshot> snapshots = new LinkedHashMap<>();
    private final Map<ContainerId, Drive> drives = new HashMap<>();

    StoredSlots(ContainerCatalog catalog, List<Drive> all) {
        this.catalog = catalog;
        try {
            for (Drive drive : all) {
                KvSnapshot snapshot = drive.kv().snapshot();
                snapshots.put(drive, snapshot);
                note(drive, snapshot);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void note(Drive drive, KvSnapshot snapshot) {
        try (KvCursor rows = snapshot.scan(StateTables.CONTAINERS, new byte[0], null)) {
            while (rows.next()) {
                if (ContainerRow.decode(rows.value()).status() != ContainerRow.Status.GONE) {
                    drives.put(new ContainerId(ByteBuffer.wrap(rows.key()).getLong()), drive);
                }
            }
        }
    }

    @Override
    public List<ContainerId> containers() {
        return drives.keySet().stream().sorted().toList();
    }

    private KvReader then(ContainerId container) {
        Drive drive = drives.get(container);
        KvSnapshot snapshot = drive == null ? null : snapshots.get(drive);
        if (snapshot == null) {
            throw new IllegalArgumentException("container " + container + " is not here");
        }
        return snapshot;
    }

    @Override
    public long applied(ContainerId container, ShardId source) {
        byte[] row =
                then(container).get(StateTables.STREAMS, StateTables.streamKey(container, source));
        return row == null ? 0 : StreamRow.decode(row).lastApplied();
    }

    @Override
    public Slots slots(ContainerId id, int closedEpoch) {
        Slots slots = new Slots(new BitSet(), new BitSet(), new BitSet(), new BitSet());
        SlotPages states = new SlotPages(then(id), id);
        readStates(id, states, slots);
        StoredContainer container = catalog.find(id);
        if (container == null) {
            // Deleted since: it held nothing that anybody owned.
            slots.recorded().or(slots.adopted());
            return slots;
        }
        readRecords(container, states, closedEpoch, slots);
        forgiveCompacted(container, slots);
        return slots;
    }

    private void readStates(ContainerId id, SlotPages states, Slots slots) {
        byte[] prefix = StateTables.key(id);
        try (KvCursor rows =
                then(id).scan(StateTables.SLOTS, prefix, Bytes.successorOfPrefix(prefix))) {
            while (rows.next()) {
                int first =
                        ByteBuffer.wrap(rows.key()).getInt(prefix.length) * SlotPages.PAGE_SLOTS;
                for (int slot = first; slot < first + SlotPages.PAGE_SLOTS; slot++) {
                    switch (states.get(slot)) {
                        case WRITTEN -> {}
                        case ADOPTED -> slots.adopted().set(slot);
                        case FREED -> slots.freed().set(slot);
                    }
                }
            }
        }
    }

    private void readRecords(
            StoredContainer container, SlotPages states, int closedEpoch, Slots slots) {
        try (ContainerView view = catalog.view(container)) {
            SlotTable table = view.table();
            int size = table.size();
            for (int i = 0; i < size; i++) {
                int slot = table.slot(i);
                slots.recorded().set(slot);
                if (table.epoch(i) <= closedEpoch && states.get(slot) == SlotState.WRITTEN) {
                    slots.expired().set(slot);
                }
            }
        } catch (IOException | ContainerException e) {
            LOG.warn("Container {} can't be read.", container.id(), e);
        } catch (ChunkStoreException e) {
            if (e.code() != ChunkStoreException.Code.GONE) {
                throw e;
            }
            slots.recorded().or(slots.adopted());
        }
    }

    /** A slot that was freed meanwhile may have lost its record by right. */
    private void forgiveCompacted(StoredContainer container, Slots slots) {
        BitSet missing = (BitSet) slots.adopted().clone();
        missing.andNot(slots.recorded());
        if (missing.isEmpty()) {
            return;
        }
        SlotPages now = new SlotPages(container.drive().kv(), container.id());
        missing.stream()
                .filter(slot -> container.isGone() || now.get(slot) == SlotState.FREED)
                .forEach(slots.recorded()::set);
    }

    @Override
    public void close() {
        snapshots.values().forEach(KvSnapshot::close);
        snapshots.clear();
    }
}
