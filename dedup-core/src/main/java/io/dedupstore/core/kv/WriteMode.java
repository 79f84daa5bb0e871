package io.dedupstore.core.kv;

/** How writes of a RocksDB store become durable. */
public enum WriteMode {
    /**
     * Not by the store: a replicated log holds them until {@link KvStore#flush}, and after a crash
     * all tables stand at one and the same write.
     */
    UNLOGGED,
    /** By the store's own log, synced before {@link KvStore#write} returns. */
    SYNCED
}
