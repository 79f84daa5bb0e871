package io.dedupstore.server.storage;

/**
 * Counts of a storage node. Live slots are written or adopted, dead ones freed and still in their
 * file; bytes are those of records.
 *
 * @param fileBytes what the files take
 * @param usableBytes free space of all drives together
 * @param appendedChunks since the start, as are the other counts from here on
 */
public record StorageStatistics(
        int openContainers,
        int sealedContainers,
        long fileBytes,
        long usableBytes,
        long liveSlots,
        long liveBytes,
        long deadSlots,
        long deadBytes,
        long appendedChunks,
        long appendedBytes,
        long syncs,
        long compactedContainers,
        long compactedBytes,
        long deletedContainers,
        long failedCompactions,
        long scrubbedRecords,
        long scrubbedBytes,
        long damagedRecords) {}
