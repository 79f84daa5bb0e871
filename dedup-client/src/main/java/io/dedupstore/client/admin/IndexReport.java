package io.dedupstore.client.admin;

import org.jspecify.annotations.Nullable;

/**
 * The fingerprint index.
 *
 * @param openIntents writes that claimed chunks and are undecided
 * @param settlingIntents decided ones that are being settled
 * @param unreadable meetings with entries that cannot be read; they are never freed
 * @param anomalies settlements and releases that did not find what they must have found: a fault
 * @param rebuilding whether it is being made anew, so that new chunks are stored without it
 */
public record IndexReport(
        Entries entries,
        long openIntents,
        long settlingIntents,
        Disk disk,
        Memory memory,
        QuotaReport quota,
        Pruning pruning,
        Audit audit,
        long unreadable,
        long anomalies,
        boolean rebuilding) {
    /**
     * Fingerprints.
     *
     * @param unique with one reference, or none
     * @param duplicate with two or more
     * @param zombies those of {@code unique} without a reference, waiting for collection
     * @param zombieBytes plain bytes of their chunks
     */
    public record Entries(
            long total, long unique, long duplicate, long zombies, long zombieBytes) {}

    /**
     * Files.
     *
     * @param entryBytes tables of entries
     * @param tableBytes all tables
     * @param logBytes the replicated log in front of them
     * @param bytesPerEntry entry tables by entries; absent without entries. Far above 70: shrink
     * @param files of all tables
     * @param waitingBytes that compaction has still to rewrite
     * @param ownDrive whether no containers lie on its drive
     * @param driveFreeBytes of the drive it lies on
     * @param damagedPlaces of the tables that could not be read since the start: a fault
     */
    public record Disk(
            long entryBytes,
            long tableBytes,
            long logBytes,
            @Nullable Double bytesPerEntry,
            long files,
            long waitingBytes,
            boolean ownDrive,
            long driveFreeBytes,
            long damagedPlaces) {}

    /**
     * Memory.
     *
     * @param filterBytes filters and table indexes, beside the cache
     * @param bytesPerEntry those by entries; absent without entries
     * @param memtableBytes what has not been flushed yet
     */
    public record Memory(long filterBytes, @Nullable Double bytesPerEntry, long memtableBytes) {}

    /**
     * What was forgotten, and what that cost.
     *
     * @param pruned entries that were pruned and whose owners still have them
     * @param ghosts pruned fingerprints that are remembered, estimated from a sample
     * @param ghostHits of them stored anew since
     * @param ghostHitBytes bytes that would have deduplicated, had nothing been pruned
     * @param automaticRuns prunes by the quota since the start
     * @param automaticEntries entries they took
     */
    public record Pruning(
            long pruned,
            long ghosts,
            long ghostHits,
            long ghostHitBytes,
            long automaticRuns,
            long automaticEntries) {}

    /**
     * The books that are kept all the time.
     *
     * @param balanced references that entries count are those that owners have
     * @param checks comparisons with what metadata shards told
     * @param failures of them that did not agree: a fault
     */
    public record Audit(boolean balanced, long checks, long failures) {}
}
