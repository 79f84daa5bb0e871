package io.dedupstore.core.maintenance;

/**
 * Something that manifests, index and slots do not agree on.
 *
 * @param where an address, a fingerprint, a holder or a shard
 */
public record Difference(Kind kind, String where, String detail) {
    /** What is wrong; {@code lossy} where somebody may read what is not there. */
    public enum Kind {
        /** An entry counts other references than there are. */
        REFERENCES_DIFFER(false),
        /** Several references, or an open intent's, to a chunk that has no entry. */
        MISSING_ENTRY(false),
        /** References without entry are not as many as were pruned. */
        PRUNED_DIFFER(false),
        /** Some entries of a shard cannot be read, so that none could be compared. */
        UNREADABLE_TABLE(false),
        /** An entry's value means nothing. */
        UNREADABLE_ENTRY(false),
        /** An entry is in the other table than its references say. */
        MISPLACED_ENTRY(false),
        /** A slot belongs to two entries, or to an entry and to a holder alone. */
        TWO_OWNERS(false),
        /** A slot has an owner and was never adopted: it may be reclaimed. */
        NOT_ADOPTED(true),
        /** A slot has an owner and was freed. */
        FREED_BUT_OWNED(true),
        /** A slot has an owner and no record in its file. */
        NO_RECORD(true),
        /** Somebody owns a slot of a container that is not there. */
        NO_CONTAINER(true),
        /** A holder in use has not all of its manifest. */
        MANIFEST_INCOMPLETE(true),
        /** A slot is adopted and nobody owns it. */
        LEAKED_SLOT(false),
        /** A slot of a closed epoch is neither adopted nor freed. */
        ORPHAN_SLOT(false);

        private final boolean lossy;

        Kind(boolean lossy) {
            this.lossy = lossy;
        }

        public boolean lossy() {
            return lossy;
        }
    }
}
