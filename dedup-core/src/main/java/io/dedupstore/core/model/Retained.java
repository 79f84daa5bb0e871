package io.dedupstore.core.model;

import java.util.Set;

/**
 * Which of the references an intent recorded in one shard its committed manifest really holds: all,
 * all but some, or none.
 */
public sealed interface Retained {
    record All() implements Retained {}

    record AllBut(Set<Fingerprint> dropped) implements Retained {
        public AllBut {
            dropped = Set.copyOf(dropped);
        }
    }

    record None() implements Retained {}

    default boolean keeps(Fingerprint fingerprint) {
        return switch (this) {
            case All() -> true;
            case AllBut(Set<Fingerprint> dropped) -> !dropped.contains(fingerprint);
            case None() -> false;
        };
    }
}
