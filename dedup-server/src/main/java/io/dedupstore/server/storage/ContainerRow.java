package io.dedupstore.server.storage;

import java.nio.ByteBuffer;

/**
 * What is known of a container without opening it.
 *
 * @param slots slots ever given out, once sealed
 * @param fencedEnd acknowledged bytes of a fenced file
 * @param minEpoch lowest epoch of its records, 0 without any
 * @param all records in the file, once sealed
 * @param adopted those that have an owner
 * @param freed those that will never be referenced again
 */
record ContainerRow(
        Status status,
        int generation,
        int slots,
        long fencedEnd,
        int minEpoch,
        int maxEpoch,
        Count all,
        Count adopted,
        Count freed,
        long fileBytes) {
    static final int BYTES = 70;

    /** Life of a container; the code is part of the persistent form. */
    enum Status {
        OPEN(1),
        SEALED(2),
        /** A write or sync failed: the file is never written again, only read and rewritten. */
        FENCED(3),
        GONE(4);

        private final int code;

        Status(int code) {
            this.code = code;
        }

        static Status ofCode(int code) {
            for (Status status : values()) {
                if (status.code == code) {
                    return status;
                }
            }
            throw new IllegalStateException("unknown container status " + code);
        }
    }

    /** A number of records and their bytes. */
    record Count(int records, long bytes) {
        static final Count ZERO = new Count(0, 0);

        Count plus(int moreRecords, long moreBytes) {
            return new Count(records + moreRecords, bytes + moreBytes);
        }
    }

    static ContainerRow opened() {
        return new ContainerRow(Status.OPEN, 1, 0, 0, 0, 0, Count.ZERO, Count.ZERO, Count.ZERO, 0);
    }

    ContainerRow gone() {
        return new ContainerRow(
                Status.GONE,
                generation,
                slots,
                0,
                minEpoch,
                maxEpoch,
                Count.ZERO,
                Count.ZERO,
                Count.ZERO,
                0);
    }

    ContainerRow withStates(Count newAdopted, Count newFreed) {
        return new ContainerRow(
                status,
                generation,
                slots,
                fencedEnd,
                minEpoch,
                maxEpoch,
                all,
                newAdopted,
                newFreed,
                fileBytes);
    }

    byte[] encode() {
        ByteBuffer out = ByteBuffer.allocate(BYTES);
        out.put(StateTables.VERSION).put((byte) status.code);
        out.putInt(generation).putInt(slots).putLong(fencedEnd);
        out.putInt(minEpoch).putInt(maxEpoch);
        for (Count count : new Count[] {all, adopted, freed}) {
            out.putInt(count.records()).putLong(count.bytes());
        }
        return out.putLong(fileBytes).array();
    }

    static ContainerRow decode(byte[] value) {
        ByteBuffer in = StateTables.open(value, "the state of a container");
        return new ContainerRow(
                Status.ofCode(in.get()),
                in.getInt(),
                in.getInt(),
                in.getLong(),
                in.getInt(),
                in.getInt(),
                new Count(in.getInt(), in.getLong()),
                new Count(in.getInt(), in.getLong()),
                new Count(in.getInt(), in.getLong()),
                in.getLong());
    }
}
