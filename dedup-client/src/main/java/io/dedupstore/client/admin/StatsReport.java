package io.dedupstore.client.admin;

import java.util.List;

/**
 * What the store holds and what that costs.
 *
 * @param distinctChunks chunks that the index knows
 */
public record StatsReport(
        UsageReport total, long distinctChunks, StorageReport storage, List<BucketReport> buckets) {
    public StatsReport {
        buckets = List.copyOf(buckets);
    }
}
