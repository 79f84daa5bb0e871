package io.dedupstore.server.storage;

import io.dedupstore.core.container.SlotTable;
import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/** Slot states of one container as pages of 1,024; loaded as they are needed. One thread. */
final class SlotPages {
    static final int PAGE_SLOTS = 1024;
    private static final int PAGE_BYTES = 1 + PAGE_SLOTS / 4;
    private static final SlotState[] STATES = SlotState.values();

    private final KvReader kv;
    private final ContainerId container;
    private final Map<Integer, Page> pages = new TreeMap<>();

    private static final class Page {
        private final byte[] bytes;
        private boolean changed;

        private Page(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    SlotPages(KvReader kv, ContainerId container) {
        this.kv = kv;
        this.container = container;
    }

    SlotState get(int slot) {
        int bits = page(slot).bytes[byteOf(slot)] >>> shiftOf(slot) & 3;
        if (bits >= STATES.length) {
            throw new IllegalStateException(
                    "slot %d of container %s has no known state".formatted(slot, container));
        }
        return STATES[bits];
    }

    /** Moves a slot forwards; false when it already is there or further. */
    boolean advance(int slot, SlotState to) {
        if (get(slot).compareTo(to) >= 0) {
            return false;
        }
        Page page = page(slot);
        int at = byteOf(slot);
        int shift = shiftOf(slot);
        page.bytes[at] = (byte) (page.bytes[at] & ~(3 << shift) | to.ordinal() << shift);
        page.changed = true;
        return true;
    }

    /** Whether a slot has an owner but no record: a loss that must stay visible. */
    static boolean hasLostSlot(KvReader kv, ContainerId container, SlotTable table) {
        byte[] prefix = StateTables.key(container);
        SlotPages pages = new SlotPages(kv, container);
        try (KvCursor rows = kv.scan(StateTables.SLOTS, prefix, Bytes.successorOfPrefix(prefix))) {
            while (rows.next()) {
                int first = ByteBuffer.wrap(rows.key()).getInt(prefix.length) * PAGE_SLOTS;
                for (int slot = first; slot < first + PAGE_SLOTS; slot++) {
                    if (pages.get(slot) == SlotState.ADOPTED && table.find(slot) < 0) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    void writeTo(KvBatch batch) {
        pages.forEach(
                (number, page) -> {
                    if (page.changed) {
                        byte[] key = StateTables.pageKey(container, number);
                        batch.put(StateTables.SLOTS, key, page.bytes);
                    }
                });
    }

    private Page page(int slot) {
        if (slot < 0 || slot >= ChunkAddress.MAX_SLOTS) {
            throw new IllegalArgumentException("slot out of range: " + slot);
        }
        return pages.computeIfAbsent(slot / PAGE_SLOTS, this::load);
    }

    private Page load(int number) {
        byte[] stored = kv.get(StateTables.SLOTS, StateTables.pageKey(container, number));
        if (stored == null) {
            byte[] fresh = new byte[PAGE_BYTES];
            fresh[0] = StateTables.VERSION;
            return new Page(fresh);
        }
        StateTables.open(stored, "a page of slot states");
        return new Page(stored.clone());
    }

    private static int byteOf(int slot) {
        return 1 + slot % PAGE_SLOTS / 4;
    }

    private static int shiftOf(int slot) {
        return slot % 4 * 2;
    }
}
