package io.dedupstore.server.storage;

import io.dedupstore.core.container.ContainerHeader;

/** Adds containers up. */
final class StatisticsSum {
    private int open;
    private int sealed;
    private long fileBytes;
    private long liveSlots;
    private long liveBytes;
    private long deadSlots;
    private long deadBytes;

    void add(StoredContainer container) {
        LiveContainer live = container.live();
        ContainerRow row = container.row();
        long slots = row.all().records();
        long bytes = row.all().bytes();
        if (live == null) {
            sealed++;
            fileBytes += row.fileBytes();
        } else {
            open++;
            slots = live.table().size();
            bytes = live.end() - ContainerHeader.BYTES;
            fileBytes += live.end();
        }
        liveSlots += slots - row.freed().records();
        liveBytes += bytes - row.freed().bytes();
        deadSlots += row.freed().records();
        deadBytes += row.freed().bytes();
    }

    StorageStatistics statistics(long usableBytes, Counters counters) {
        return new StorageStatistics(
                open,
                sealed,
                fileBytes,
                usableBytes,
                liveSlots,
                liveBytes,
                deadSlots,
                deadBytes,
                counters.appendedChunks.sum(),
                counters.appendedBytes.sum(),
                counters.syncs.sum(),
                counters.compactedContainers.sum(),
                counters.compactedBytes.sum(),
                counters.deletedContainers.sum(),
                counters.failedCompactions.sum(),
                counters.scrubbedRecords.sum(),
                counters.scrubbedBytes.sum(),
                counters.damagedRecords.sum());
    }
}
