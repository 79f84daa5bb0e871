package io.dedupstore.server.storage;

import io.dedupstore.core.container.SlotTable;
import java.util.ArrayList;
import java.util.List;

/** Changes of slot states of one container that become durable together. One thread. */
final class SlotChanges {
    private final SlotPages pages;
    private final SlotTable table;
    private final List<Integer> freedSlots = new ArrayList<>();
    private ContainerRow.Count adopted;
    private ContainerRow.Count freed;

    /**
     * @param table records in the file; states of others may change too, but they count nothing
     */
    SlotChanges(SlotPages pages, SlotTable table, ContainerRow row) {
        this.pages = pages;
        this.table = table;
        this.adopted = row.adopted();
        this.freed = row.freed();
    }

    void advance(int slot, SlotState to) {
        SlotState before = pages.get(slot);
        if (!pages.advance(slot, to)) {
            return;
        }
        int entry = table.find(slot);
        if (entry >= 0) {
            count(before, -1, -table.recordLength(entry));
            count(to, 1, table.recordLength(entry));
        }
        if (to == SlotState.FREED) {
            freedSlots.add(slot);
        }
    }

    private void count(SlotState state, int records, int bytes) {
        switch (state) {
            case WRITTEN -> {}
            case ADOPTED -> adopted = adopted.plus(records, bytes);
            case FREED -> freed = freed.plus(records, bytes);
        }
    }

    /** Frees what nobody has adopted of epochs up to this one: all who could have are through. */
    void close(int epoch) {
        int size = table.size();
        for (int i = 0; i < size; i++) {
            if (table.epoch(i) <= epoch && pages.get(table.slot(i)) == SlotState.WRITTEN) {
                advance(table.slot(i), SlotState.FREED);
            }
        }
    }

    ContainerRow.Count adopted() {
        return adopted;
    }

    ContainerRow.Count freed() {
        return freed;
    }

    /** Slots these changes freed. */
    List<Integer> freedSlots() {
        return freedSlots;
    }
}
