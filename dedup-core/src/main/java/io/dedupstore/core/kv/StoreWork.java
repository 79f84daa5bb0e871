package io.dedupstore.core.kv;

/**
 * What all stores of a process have done since they were opened. Differences between two of these
 * mean something, sums do not.
 *
 * @param flushedBytes written to files from memtables
 * @param compactedBytes written to files by compaction
 * @param blockReads blocks of rows that were not in the cache, so that a file was read
 * @param filterRefused questions for a row that a filter answered: not in this file
 * @param filterPassed questions that a filter let through to the file
 * @param filterRight of those let through, the ones whose row was there
 */
public record StoreWork(
        long flushedBytes,
        long compactedBytes,
        long blockReads,
        long filterRefused,
        long filterPassed,
        long filterRight) {
    public StoreWork since(StoreWork earlier) {
        return new StoreWork(
                flushedBytes - earlier.flushedBytes,
                compactedBytes - earlier.compactedBytes,
                blockReads - earlier.blockReads,
                filterRefused - earlier.filterRefused,
                filterPassed - earlier.filterPassed,
                filterRight - earlier.filterRight);
    }
}
