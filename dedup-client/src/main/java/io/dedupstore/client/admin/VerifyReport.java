package io.dedupstore.client.admin;

import java.util.List;

/**
 * Manifests against index against slots, as of one moment.
 *
 * @param holders manifests read
 * @param references of holders, queued releases and open intents to indexed chunks
 * @param unindexed chunks that holders own alone
 * @param entries of the index
 * @param pruned references whose entries were pruned
 * @param containers on the drives
 * @param slots that are owned, or should be
 * @param skippedContainers whose streams moved too fast to be looked at; ask again
 * @param differenceCount all of them
 * @param differences the first of them
 * @param complete false when it was cancelled
 */
public record VerifyReport(
        long holders,
        long references,
        long unindexed,
        long entries,
        long pruned,
        long containers,
        long slots,
        long skippedContainers,
        long differenceCount,
        List<Difference> differences,
        boolean complete) {
    public VerifyReport {
        differences = List.copyOf(differences);
    }

    /**
     * What does not agree.
     *
     * @param kind such as references-differ or leaked-slot; docs/operations/index.md has them all
     * @param where an address, a fingerprint or a shard
     * @param detail for people
     * @param lossy whether bytes that somebody owns are in danger, or gone
     */
    public record Difference(String kind, String where, String detail, boolean lossy) {}
}
