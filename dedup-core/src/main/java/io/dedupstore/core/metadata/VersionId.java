package io.dedupstore.core.metadata;

import io.dedupstore.core.model.V;

/** Which of the versions of a key. */
public sealed interface VersionId {
    VersionId NULL = new Null();

    /**
     * The one version that was written when the bucket had no versioning yet, or had it suspended.
     */
    record Null() implements VersionId {}

    /**
     * A version that was written under versioning.
     *
     * @param order its place among the versions of its key, greater for the newer: microseconds of
     *     the shard's clock when it was committed
     * @param v the attempt that made it
     */
    record Named(long order, V v) implements VersionId {
        public Named {
            if (order <= 0) {
                throw new IllegalArgumentException("not an order of versions: " + order);
            }
        }
    }
}
