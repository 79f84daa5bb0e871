package io.dedupstore.core.model;

import java.nio.ByteBuffer;

/** Where an outbox stream leads: an index shard, or a container. */
public sealed interface Destination {
    int BYTES = 9;

    record Shard(ShardId shard) implements Destination {
        public Shard {
            if (shard.kind() != ShardId.Kind.INDEX) {
                throw new IllegalArgumentException("outboxes lead to index shards: " + shard);
            }
        }
    }

    record Container(ContainerId container) implements Destination {}

    /** Nine bytes, big-endian: kind (1 shard, 2 container), number. */
    default byte[] toBytes() {
        return switch (this) {
            case Shard(ShardId shard) ->
                    ByteBuffer.allocate(BYTES).put((byte) 1).putLong(shard.number()).array();
            case Container(ContainerId container) ->
                    ByteBuffer.allocate(BYTES).put((byte) 2).putLong(container.value()).array();
        };
    }

    /** Reads what {@link #toBytes} wrote at the position of {@code in} (big-endian). */
    static Destination read(ByteBuffer in) {
        byte kind = in.get();
        long number = in.getLong();
        return switch (kind) {
            case 1 -> new Shard(ShardId.index(Math.toIntExact(number)));
            case 2 -> new Container(new ContainerId(number));
            default -> throw new IllegalArgumentException("unknown destination kind " + kind);
        };
    }
}
