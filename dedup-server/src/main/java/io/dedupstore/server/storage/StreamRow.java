package io.dedupstore.server.storage;

import java.nio.ByteBuffer;

/** How far the stream from one shard to one container was applied. */
record StreamRow(long lastApplied, int closedEpoch) {
    static final StreamRow NEW = new StreamRow(0, 0);

    byte[] encode() {
        return ByteBuffer.allocate(13)
                .put(StateTables.VERSION)
                .putLong(lastApplied)
                .putInt(closedEpoch)
                .array();
    }

    static StreamRow decode(byte[] value) {
        ByteBuffer in = StateTables.open(value, "the position of a stream");
        return new StreamRow(in.getLong(), in.getInt());
    }
}
