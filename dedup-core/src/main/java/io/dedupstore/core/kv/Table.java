package io.dedupstore.core.kv;

/**
 * A named key space of a store.
 *
 * @param profile how the table is used; a hint for storage options, never for meaning
 */
public record Table(String name, Profile profile) {
    /** Usage hints. */
    public enum Profile {
        /** Point reads of keys that are mostly absent, incompressible: filters in memory. */
        POINT,
        /** Ordered scans, compressible values. */
        SCAN,
        /** Short-lived rows: written, read once or twice, deleted. */
        QUEUE,
        /**
         * Short-lived rows each of which is put once and deleted once, and never put again: the two
         * annihilate each other, mostly before they reach the disk. The one profile that is a
         * promise; a row that is overwritten and then deleted may come back.
         */
        ONCE
    }

    public Table {
        if (!name.matches("[a-z][a-z0-9-]{0,31}")) {
            throw new IllegalArgumentException("bad table name " + name);
        }
    }
}
