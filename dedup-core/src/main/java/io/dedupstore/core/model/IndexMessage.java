package io.dedupstore.core.model;

import java.util.List;

/** Items of the ordered outbox from a metadata shard to an index shard. */
public sealed interface IndexMessage {
    /** The attempt committed. References of its intent in {@code dropped} are not retained. */
    record Confirm(V v, Retained retained) implements IndexMessage {}

    /** The attempt will never commit: every reference of its intent is dropped. */
    record Abort(V v) implements IndexMessage {}

    /** The sum over all that this stream has confirmed and not released so far. */
    record Audit(ReferenceSum sum) implements IndexMessage {}

    /** The holder gives these references up, each bound to its address. At most 1,024. */
    record Release(V holder, List<ChunkReference> references) implements IndexMessage {
        public static final int MAX_REFERENCES = 1024;

        public Release {
            references = List.copyOf(references);
            if (references.isEmpty() || references.size() > MAX_REFERENCES) {
                throw new IllegalArgumentException("1 to 1024 references: " + references.size());
            }
        }
    }
}
