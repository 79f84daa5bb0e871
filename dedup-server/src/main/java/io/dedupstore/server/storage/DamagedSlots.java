package io.dedupstore.server.storage;

import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * Slots of one drive that a scrub found damaged, durable until one finds them whole again or they
 * are freed. One thread changes, any reads.
 */
final class DamagedSlots {
    /** More are counted by the scrub, but not remembered. */
    private static final int MAX_REMEMBERED = 100_000;

    private static final byte[] PREFIX = "damaged/".getBytes(StandardCharsets.US_ASCII);

    private final Drive drive;
    private final ConcurrentSkipListSet<ChunkAddress> slots = new ConcurrentSkipListSet<>();

    DamagedSlots(Drive drive) {
        this.drive = drive;
        try (KvCursor rows =
                drive.kv().scan(StateTables.NODE, PREFIX, Bytes.successorOfPrefix(PREFIX))) {
            while (rows.next()) {
                StateTables.open(rows.value(), "a damaged slot");
                ByteBuffer key = ByteBuffer.wrap(rows.key()).position(PREFIX.length);
                slots.add(new ChunkAddress(new ContainerId(key.getLong()), key.getInt()));
            }
        }
    }

    static byte[] key(ChunkAddress address) {
        return ByteBuffer.allocate(PREFIX.length + 12)
                .put(PREFIX)
                .putLong(address.container().value())
                .putInt(address.slot())
                .array();
    }

    static byte[] value(long nowMillis) {
        return ByteBuffer.allocate(9).put(StateTables.VERSION).putLong(nowMillis).array();
    }

    void found(ChunkAddress address, long nowMillis) {
        if (slots.size() < MAX_REMEMBERED && slots.add(address)) {
            drive.log().write(new KvBatch().put(StateTables.NODE, key(address), value(nowMillis)));
        }
    }

    /** It is whole, or nobody's any more. */
    void cleared(ChunkAddress address) {
        if (slots.remove(address)) {
            drive.log().write(new KvBatch().delete(StateTables.NODE, key(address)));
        }
    }

    boolean isEmpty() {
        return slots.isEmpty();
    }

    boolean contains(ChunkAddress address) {
        return slots.contains(address);
    }

    List<ChunkAddress> all() {
        return new ArrayList<>(slots);
    }

    int count() {
        return slots.size();
    }
}
