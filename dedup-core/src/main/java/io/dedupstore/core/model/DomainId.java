package io.dedupstore.core.model;

/** A dedup domain: the set of buckets that may share chunks. Positive. */
public record DomainId(int value) {
    public DomainId {
        if (value <= 0) {
            throw new IllegalArgumentException("domain id must be positive: " + value);
        }
    }
}
