package io.dedupstore.core.index;

import io.dedupstore.core.model.ChunkAddress;

/** What a shard has for a fingerprint; may be stale. */
public sealed interface Known {
    record Absent() implements Known {}

    /**
     * @param length plain bytes
     * @param suspect whether the bytes there could not be read
     */
    record Present(ChunkAddress address, int length, boolean suspect) implements Known {}

    /** There is an entry, and it cannot be read. */
    record Unreadable() implements Known {}
}
