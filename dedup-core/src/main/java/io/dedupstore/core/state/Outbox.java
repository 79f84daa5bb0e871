package io.dedupstore.core.state;

import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.model.StreamPosition;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The ordered streams that one logical shard sends, one to each {@link Destination}, as rows of its
 * state machine ({@code docs/formats/state.md}). Items are numbered from 1 without gap; they stay
 * until the receiver has applied them and this side was told. Streams with undelivered items have a
 * row of their own, so that finding them costs nothing for those at rest.
 *
 * <p>Stateless: all of it is in the rows handed in.
 */
public final class Outbox {
    /** The most items that one {@link #acknowledge} forgets. */
    public static final int MAX_ACKNOWLEDGED = 2_000;

    /** The most bytes of one run, except that a run has at least one item. */
    public static final int MAX_RUN_BYTES = 256 << 10;

    private static final Table STREAMS = new Table("outbox-streams", Table.Profile.QUEUE);
    private static final Table ITEMS = new Table("outbox-items", Table.Profile.QUEUE);
    private static final Table READY = new Table("outbox-ready", Table.Profile.QUEUE);

    /** To be among the tables of every state machine that has outboxes. */
    public static final List<Table> TABLES = List.of(STREAMS, ITEMS, READY);

    private static final int SHARD_BYTES = 2;
    private static final int STREAM_KEY_BYTES = SHARD_BYTES + Destination.BYTES;
    private static final byte[] NOTHING = new byte[0];

    private final byte[] prefix;

    /** The outbox of {@code shard}; all shards that share a store are of one kind. */
    public Outbox(ShardId shard) {
        this.prefix = ByteBuffer.allocate(SHARD_BYTES).putShort((short) shard.number()).array();
    }

    /** How far a stream is: numbers of the last item appended and the last one acknowledged. */
    public record Position(long appended, long acknowledged) {
        static final Position START = new Position(0, 0);

        public Position {
            if (acknowledged < 0 || appended < acknowledged) {
                throw new IllegalArgumentException(appended + " < " + acknowledged);
            }
        }

        public long undelivered() {
            return appended - acknowledged;
        }

        static Position of(byte @Nullable [] row) {
            if (row == null) {
                return START;
            }
            ByteBuffer in = ByteBuffer.wrap(row);
            return new Position(in.getLong(), in.getLong());
        }

        byte[] toBytes() {
            return ByteBuffer.allocate(16).putLong(appended).putLong(acknowledged).array();
        }
    }

    /** A run of items; {@code firstSequence} is the first one's number, the others follow. */
    public record Run(long firstSequence, List<byte[]> messages) {}

    public void append(KvTransaction rows, Destination.Shard stream, IndexMessage message) {
        append(rows, stream, MessageCodec.encode(message));
    }

    public void append(KvTransaction rows, Destination.Container stream, StorageMessage message) {
        append(rows, stream, MessageCodec.encode(message));
    }

    private void append(KvTransaction rows, Destination stream, byte[] message) {
        byte[] key = streamKey(stream);
        Position position = Position.of(rows.get(STREAMS, key));
        long sequence = position.appended() + 1;
        rows.put(ITEMS, itemKey(key, sequence), message);
        rows.put(STREAMS, key, new Position(sequence, position.acknowledged()).toBytes());
        if (position.undelivered() == 0) {
            rows.put(READY, key, NOTHING);
        }
    }

    /**
     * Goes on behind {@code sequence}, which the receiver has applied: for a sender that has lost
     * its rows. Streams that are there and as far stay as they are.
     */
    public void resume(KvTransaction rows, Destination stream, long sequence) {
        byte[] key = streamKey(stream);
        Position position = Position.of(rows.get(STREAMS, key));
        if (position.appended() >= sequence) {
            return;
        }
        if (position.undelivered() > 0) {
            throw new IllegalStateException(
                    "the receiver of %s has applied %d items, only %d were sent"
                            .formatted(stream, sequence, position.appended()));
        }
        rows.put(STREAMS, key, new Position(sequence, sequence).toBytes());
    }

    public Position position(KvReader rows, Destination stream) {
        return Position.of(rows.get(STREAMS, streamKey(stream)));
    }

    /**
     * Streams with undelivered items in ascending order.
     *
     * @param after only those behind this one, or null for all
     */
    public List<Destination> ready(KvReader rows, @Nullable Destination after, int limit) {
        byte[] from = after == null ? prefix : Bytes.successor(streamKey(after));
        List<Destination> streams = new ArrayList<>();
        try (KvCursor cursor = rows.scan(READY, from, Bytes.successorOfPrefix(prefix))) {
            while (streams.size() < limit && cursor.next()) {
                ByteBuffer key = ByteBuffer.wrap(cursor.key());
                streams.add(Destination.read(key.position(SHARD_BYTES)));
            }
        }
        return streams;
    }

    /** The oldest items not acknowledged; empty when there are none. */
    public Run read(KvReader rows, Destination stream, int maxItems) {
        byte[] key = streamKey(stream);
        long first = Position.of(rows.get(STREAMS, key)).acknowledged() + 1;
        List<byte[]> messages = new ArrayList<>();
        long bytes = 0;
        byte[] end = Bytes.successorOfPrefix(key);
        try (KvCursor cursor = rows.scan(ITEMS, itemKey(key, first), end)) {
            while (messages.size() < maxItems && cursor.next()) {
                byte[] message = cursor.value();
                bytes += message.length;
                if (bytes > MAX_RUN_BYTES && !messages.isEmpty()) {
                    break;
                }
                requireSequence(cursor.key(), first + messages.size());
                messages.add(message);
            }
        }
        return new Run(first, messages);
    }

    /** Every stream that has had an item, and how far it is. */
    public Map<Destination, Position> positions(KvReader rows) {
        Map<Destination, Position> positions = new HashMap<>();
        byte[] end = Bytes.successorOfPrefix(prefix);
        try (KvCursor cursor = rows.scan(STREAMS, prefix, end)) {
            while (cursor.next()) {
                ByteBuffer key = ByteBuffer.wrap(cursor.key()).position(SHARD_BYTES);
                positions.put(Destination.read(key), Position.of(cursor.value()));
            }
        }
        return positions;
    }

    /** Items behind a number, in order, as far as they have not been forgotten. */
    public void forEachItem(
            KvReader rows, Destination stream, long after, Consumer<byte[]> visitor) {
        byte[] key = streamKey(stream);
        byte[] end = Bytes.successorOfPrefix(key);
        try (KvCursor cursor = rows.scan(ITEMS, itemKey(key, after + 1), end)) {
            while (cursor.next()) {
                visitor.accept(cursor.value());
            }
        }
    }

    private static void requireSequence(byte[] itemKey, long expected) {
        long found = ByteBuffer.wrap(itemKey).getLong(STREAM_KEY_BYTES);
        if (found != expected) {
            throw new IllegalStateException(
                    "outbox stream has item " + found + " where " + expected + " must be");
        }
    }

    /**
     * Forgets items that were applied, at most {@link #MAX_ACKNOWLEDGED} in all; a later call
     * forgets more. When a receiver is gone for good and its last item has been forgotten, so is
     * the stream; should anything be sent to it again numbers start at 1.
     */
    public void acknowledge(KvTransaction rows, List<StreamPosition> positions) {
        long left = MAX_ACKNOWLEDGED;
        for (StreamPosition position : positions) {
            left -= acknowledge(rows, position.stream(), position.upTo(), left);
        }
    }

    /**
     * @return how many items were forgotten
     */
    private long acknowledge(KvTransaction rows, Destination stream, long upTo, long most) {
        byte[] key = streamKey(stream);
        Position position = Position.of(rows.get(STREAMS, key));
        long last = Math.min(Math.min(upTo, position.appended()), position.acknowledged() + most);
        for (long sequence = position.acknowledged() + 1; sequence <= last; sequence++) {
            rows.delete(ITEMS, itemKey(key, sequence));
        }
        last = Math.max(last, position.acknowledged());
        boolean drained = last == position.appended();
        if (drained && position.undelivered() > 0) {
            rows.delete(READY, key);
        }
        if (drained && upTo == Long.MAX_VALUE) {
            rows.delete(STREAMS, key);
        } else if (last > position.acknowledged()) {
            rows.put(STREAMS, key, new Position(position.appended(), last).toBytes());
        }
        return last - position.acknowledged();
    }

    private byte[] streamKey(Destination stream) {
        return Bytes.concat(prefix, stream.toBytes());
    }

    private static byte[] itemKey(byte[] streamKey, long sequence) {
        return ByteBuffer.allocate(STREAM_KEY_BYTES + 8).put(streamKey).putLong(sequence).array();
    }
}
