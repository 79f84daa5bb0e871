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
        Histogram histogram) {
    public long entries() {
        return unique + duplicate;
    }
}
