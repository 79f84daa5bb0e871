package io.dedupstore.core.model;

import java.util.Set;

/**
 * Which of the references an intent recorded in one shard its committed manifest really holds: all,
 * all but some, or none; and the sum over what it holds, by which the shard proves that it holds
 * the same.
 */
public sealed interface Retained {
    record All(ReferenceSum sum) implements Retained {}

    record AllBut(Set<Fingerprint> dropped, ReferenceSum sum) implements Retained {
        public AllBut {
            dropped = Set.copyOf(dropped);
        }
    }

    record None() implements Retained {}

    /** Over the references that are held. */
    default ReferenceSum sum() {
        return ReferenceSum.ZERO;
    }

    default boolean keeps(Fingerprint fingerprint) {
        return switch (this) {
            case All(ReferenceSum sum) -> true;
            case AllBut(Set<Fingerprint> dropped, ReferenceSum sum) ->
                    !dropped.contains(fingerprint);
            case None() -> false;
        };
    }
}
