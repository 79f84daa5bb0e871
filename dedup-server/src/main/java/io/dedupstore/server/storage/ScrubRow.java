package io.dedupstore.server.storage;

import java.nio.ByteBuffer;

/**
 * How far the scrub of one drive is; durable, so that a pass goes on after a restart.
 *
 * @param pass number of the pass under way or done, 0 before the first
 * @param endedMillis when it ended, 0 while it runs
 * @param nextContainer where it goes on; containers are taken in ascending order
 * @param nextSlot in that container
 */
record ScrubRow(
        long pass,
        long startedMillis,
        long endedMillis,
        long nextContainer,
        int nextSlot,
        int containers,
        long records,
        long bytes,
        long damaged) {
    static final int BYTES = 65;
    static final ScrubRow NONE = new ScrubRow(0, 0, 0, 0, 0, 0, 0, 0, 0);

    boolean running() {
        return pass > 0 && endedMillis == 0;
    }

    ScrubRow begin(long nowMillis) {
        return new ScrubRow(pass + 1, nowMillis, 0, 0, 0, 0, 0, 0, 0);
    }

    ScrubRow end(long nowMillis) {
        return new ScrubRow(
                pass,
                startedMillis,
                nowMillis,
                nextContainer,
                0,
                containers,
                records,
                bytes,
                damaged);
    }

    /** A piece of a container was verified. */
    ScrubRow plus(long container, int slot, long moreRecords, long moreBytes, long moreDamaged) {
        return new ScrubRow(
                pass,
                startedMillis,
                endedMillis,
                container,
                slot,
                containers,
                records + moreRecords,
                bytes + moreBytes,
                damaged + moreDamaged);
    }

    /** The container at the cursor is through. */
    ScrubRow nextContainer(long container) {
        return new ScrubRow(
                pass,
                startedMillis,
                endedMillis,
                container + 1,
                0,
                containers + 1,
                records,
                bytes,
                damaged);
    }

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .put(StateTables.VERSION)
                .putLong(pass)
                .putLong(startedMillis)
                .putLong(endedMillis)
                .putLong(nextContainer)
                .putInt(nextSlot)
                .putInt(containers)
                .putLong(records)
                .putLong(bytes)
                .putLong(damaged)
                .array();
    }

    static ScrubRow decode(byte[] value) {
        ByteBuffer in = StateTables.open(value, "the cursor of the scrub");
        return new ScrubRow(
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getInt(),
                in.getInt(),
                in.getLong(),
                in.getLong(),
                in.getLong());
    }
}
