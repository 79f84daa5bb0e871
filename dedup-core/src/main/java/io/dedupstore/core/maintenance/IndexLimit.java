package io.dedupstore.core.maintenance;

import java.util.OptionalLong;

/**
 * What a quota comes to as a number of entries.
 *
 * @param entries none are added at this many
 * @param pruneBase what shares of are taken to decide on pruning; never lower than what the index
 *     may have for good, so that pruning does not follow its own traces
 */
public record IndexLimit(OptionalLong entries, OptionalLong pruneBase) {
    /** Bytes of an entry on disk: row, filter and table index, and what waits for compaction. */
    public static final long ENTRY_BYTES = 70;

    /** Memory of an entry's filter and its share of the table index, rounded up. */
    public static final long ENTRY_MEMORY_BYTES = 2;

    private static final IndexLimit NONE =
            new IndexLimit(OptionalLong.empty(), OptionalLong.empty());
    private static final int DRIVE_PERCENT = 85;
    private static final long DRIVE_RESERVE = 8L << 30;
    private static final int PRUNE_AT_PERCENT = 95;
    private static final int PRUNE_TO_PERCENT = 90;

    /**
     * What the machine has for the index.
     *
     * @param memoryBytes that filters may take
     * @param ownDrive whether nothing else of the store lies on the index's drive
     * @param driveBytes capacity of that drive
     * @param usedBytes of it, whoever uses them
     * @param indexBytes of those, files of the index
     */
    public record Room(
            long memoryBytes, boolean ownDrive, long driveBytes, long usedBytes, long indexBytes) {
        /** How full the drive may be. */
        long driveLimit() {
            return Math.max(driveBytes / 100 * DRIVE_PERCENT, driveBytes - DRIVE_RESERVE);
        }

        /** Whether the drive is fuller than it may be. */
        public boolean driveFull() {
            return ownDrive && usedBytes >= driveLimit();
        }
    }

    /**
     * @param present entries now
     */
    public static IndexLimit of(IndexQuota quota, long present, Room room) {
        return switch (quota) {
            case IndexQuota.None() -> NONE;
            case IndexQuota.Entries(long entries) -> fixed(entries);
            case IndexQuota.Bytes(long bytes) -> fixed(Math.max(1, bytes / ENTRY_BYTES));
            case IndexQuota.Auto() -> auto(present, room);
        };
    }

    private static IndexLimit fixed(long entries) {
        return new IndexLimit(OptionalLong.of(entries), OptionalLong.of(entries));
    }

    /**
     * On a drive that holds containers too only memory counts: a full one is full of chunks, and an
     * index that stops growing there would fill it faster. On a drive of its own the index may have
     * what others leave. While that drive is fuller than it may be nothing is added, however few
     * entries there are: deleted ones still take space until the index is shrunk.
     */
    private static IndexLimit auto(long present, Room room) {
        long most = Math.max(1, room.memoryBytes() / ENTRY_MEMORY_BYTES);
        if (room.ownDrive()) {
            long others = Math.max(0, room.usedBytes() - room.indexBytes());
            long left = Math.max(0, room.driveLimit() - others);
            most = Math.max(1, Math.min(most, left / ENTRY_BYTES));
        }
        long now = room.driveFull() ? Math.min(most, Math.max(1, present)) : most;
        return new IndexLimit(OptionalLong.of(now), OptionalLong.of(most));
    }

    /** How many entries pruning should take; 0 while there are not yet too many. */
    public long excess(long present) {
        if (pruneBase.isEmpty()) {
            return 0;
        }
        double base = pruneBase.getAsLong();
        return present < base * PRUNE_AT_PERCENT / 100
                ? 0
                : Math.max(0, present - (long) (base * PRUNE_TO_PERCENT / 100));
    }
}
