package io.dedupstore.client.admin;

import java.util.List;

/** All buckets, ascending by name. */
public record BucketList(List<BucketReport> buckets) {
    public BucketList {
        buckets = List.copyOf(buckets);
    }
}
