package io.dedupstore.core.model;

import java.nio.ByteBuffer;

/** Where a chunk's bytes are: a slot of a container. Never reused; survives compaction. */
public record ChunkAddress(ContainerId container, int slot) implements Comparable<ChunkAddress> {
    public static final int BYTES = 12;

    /** Slots are numbered from 0; the limit keeps a container's directory below 32 MiB. */
    public static final int MAX_SLOTS = 1 << 20;

    public ChunkAddress {
        if (slot < 0 || slot >= MAX_SLOTS) {
            throw new IllegalArgumentException("slot out of range: " + slot);
        }
    }

    /** Reads 12 bytes: container id, slot, in the byte order of {@code in}. */
    public static ChunkAddress read(ByteBuffer in) {
        return new ChunkAddress(new ContainerId(in.getLong()), in.getInt());
    }

    public void write(ByteBuffer out) {
        out.putLong(container.value()).putInt(slot);
    }

    @Override
    public int compareTo(ChunkAddress o) {
        int c = container.compareTo(o.container);
        return c != 0 ? c : Integer.compare(slot, o.slot);
    }

    @Override
    public String toString() {
        return container + ":" + slot;
    }
}
