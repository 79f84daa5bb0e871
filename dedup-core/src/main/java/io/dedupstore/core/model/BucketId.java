package io.dedupstore.core.model;

/** Names a bucket for ever; a bucket re-created under the same name has another id. Positive. */
public record BucketId(long value) implements Comparable<BucketId> {
    public BucketId {
        if (value <= 0) {
            throw new IllegalArgumentException("bucket id must be positive: " + value);
        }
    }

    @Override
    public int compareTo(BucketId o) {
        return Long.compare(value, o.value);
    }
}
