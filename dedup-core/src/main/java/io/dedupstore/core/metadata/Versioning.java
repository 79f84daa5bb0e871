package io.dedupstore.core.metadata;

/** Whether a bucket keeps what is overwritten and deleted. */
public enum Versioning {
    /** It has no versions but one of each key, and never had. */
    NEVER,
    /** Every write makes a version, every delete a delete marker. */
    ENABLED,
    /** Writes and deletes replace the null version; all others stay. */
    SUSPENDED
}
