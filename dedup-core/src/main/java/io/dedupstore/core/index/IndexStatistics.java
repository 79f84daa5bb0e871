package io.dedupstore.core.index;

/**
 * What one index shard holds.
 *
 * @param unique entries with one reference, or none (zombies)
 * @param duplicate entries with two or more
 * @param zombies entries without references, waiting for collection
 * @param zombieBytes their plain bytes
 * @param openIntents attempts that claimed here and are undecided
 * @param settlingIntents decided attempts that are being settled
 * @param entryLimit no entries are added at this many; -1 for no limit
 * @param unreadable meetings with entries that cannot be read; they are never freed
 * @param anomalies settlements and releases that did not find what they must have found: a fault
 * @param pruned entries that were pruned and that their owners have not released since
 * @param prunedBytes plain bytes of their chunks, about: exact when none or all were released
 * @param ghosts what pruning cost, estimated
 * @param audit the shard's books
 * @param histogram of the entries that have references
 */
public record IndexStatistics(
        long unique,
        long duplicate,
        long zombies,
        long zombieBytes,
        long openIntents,
        long settlingIntents,
        long entryLimit,
        long unreadable,
        long anomalies,
        long pruned,
        long prunedBytes,
        Ghosts ghosts,
        Audit audit,
        Histogram histogram) {
    /**
     * The shard's books.
     *
     * @param balanced references that entries count are those that owners have
     * @param checks comparisons with what metadata shards told
     * @param failures of them that did not agree: a fault
     */
    public record Audit(boolean balanced, long checks, long failures) {}

    /**
     * Pruned fingerprints that are remembered, scaled up from a sample of one in 16.
     *
     * @param entries pruned entries known
     * @param hits of them stored anew since, each at the cost of
     * @param bytes plain bytes that would have deduplicated
     */
    public record Ghosts(long entries, long hits, long bytes) {}

    public long entries() {
        return unique + duplicate;
    }
}
