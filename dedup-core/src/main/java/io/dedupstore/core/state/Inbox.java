package io.dedupstore.core.state;

import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.ShardId;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/**
 * The receiving side of outbox streams: item n of a stream is applied only after n-1, and once. The
 * position is written with what the items change, in one transaction.
 *
 * <p>Stateless: all of it is in the rows handed in.
 */
public final class Inbox {
    private static final Table POSITIONS = new Table("inbox", Table.Profile.QUEUE);

    /** The table to be among those of every receiver. */
    public static final Table TABLE = POSITIONS;

    private static final int SOURCE_BYTES = 3;

    private final byte[] prefix;

    /** The inbox of one receiver: a shard or a container, as the sender names it. */
    public Inbox(Destination receiver) {
        this.prefix = receiver.toBytes();
    }

    /** What to do with a run of items that arrived. */
    public sealed interface Arrival {
        /** Apply the items from index {@code skip} on; those before were applied earlier. */
        record Apply(int skip) implements Arrival {}

        /** Items between {@code lastApplied} and the run are missing: nothing may be applied. */
        record Gap(long lastApplied) implements Arrival {}
    }

    /** Number of the last applied item of the stream from {@code source}; 0 for none. */
    public long lastApplied(KvReader rows, ShardId source) {
        byte[] row = rows.get(POSITIONS, key(source));
        return row == null ? 0 : ByteBuffer.wrap(row).getLong();
    }

    public Arrival arrival(KvReader rows, ShardId source, long firstSequence, int count) {
        if (firstSequence < 1 || count < 0) {
            throw new IllegalArgumentException("bad run " + firstSequence + "+" + count);
        }
        long last = lastApplied(rows, source);
        return firstSequence > last + 1
                ? new Arrival.Gap(last)
                : new Arrival.Apply((int) Math.min(count, last + 1 - firstSequence));
    }

    /**
     * Notes that items up to {@code sequence} have been applied; to be called in the same
     * transaction.
     *
     * @throws IllegalArgumentException when that would be a step back
     */
    public void applied(KvTransaction rows, ShardId source, long sequence) {
        long last = lastApplied(rows, source);
        if (sequence < last) {
            throw new IllegalArgumentException(
                    "stream from " + source + " cannot go back from " + last + " to " + sequence);
        }
        if (sequence > last) {
            rows.put(
                    POSITIONS,
                    key(source),
                    ByteBuffer.allocate(Long.BYTES).putLong(sequence).array());
        }
    }

    /**
     * All streams this receiver has applied items of, with the last number: what a copy takes
     * along.
     */
    public Map<ShardId, Long> positions(KvReader rows) {
        Map<ShardId, Long> positions = new TreeMap<>();
        try (KvCursor cursor = rows.scan(POSITIONS, prefix, Bytes.successorOfPrefix(prefix))) {
            while (cursor.next()) {
                ByteBuffer key = ByteBuffer.wrap(cursor.key()).position(prefix.length);
                ShardId source = new ShardId(ShardId.Kind.ofCode(key.get()), key.getShort());
                positions.put(source, ByteBuffer.wrap(cursor.value()).getLong());
            }
        }
        return positions;
    }

    /** Forgets everything of this receiver, which is gone for good. */
    public void drop(KvTransaction rows) {
        positions(rows).keySet().forEach(source -> rows.delete(POSITIONS, key(source)));
    }

    private byte[] key(ShardId source) {
        return ByteBuffer.allocate(prefix.length + SOURCE_BYTES)
                .put(prefix)
                .put((byte) source.kind().code())
                .putShort((short) source.number())
                .array();
    }
}
