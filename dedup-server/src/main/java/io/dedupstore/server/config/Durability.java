package io.dedupstore.server.config;

/** When a write counts as safe. */
public enum Durability {
    /** Acknowledged only after fsync on every replica. */
    FSYNC,
    /** Acknowledged from memory of the operating system: a power cut loses the last seconds. */
    RELAXED
}
