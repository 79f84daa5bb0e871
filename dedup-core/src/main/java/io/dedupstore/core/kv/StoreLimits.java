package io.dedupstore.core.kv;

/**
 * Memory that all RocksDB stores of a process share.
 *
 * @param cacheBytes block cache; memtables are charged to it, so it bounds both together
 * @param memtableBytes part of the cache that memtables may take before they are flushed
 * @param backgroundJobs flushes and compactions that may run at once in each store
 */
public record StoreLimits(long cacheBytes, long memtableBytes, int backgroundJobs) {
    private static final long MIB = 1L << 20;

    /**
     * 144 MiB in all, 80 of it for memtables: the larger they are, the less often rows are written
     * again by compaction, and the more has to be replayed after a crash.
     */
    public static final StoreLimits DEFAULT = new StoreLimits(144 * MIB, 80 * MIB, 2);

    public StoreLimits {
        if (memtableBytes < MIB || cacheBytes < memtableBytes) {
            throw new IllegalArgumentException(
                    "need 1 MiB <= memtable bytes <= cache bytes: "
                            + memtableBytes
                            + ", "
                            + cacheBytes);
        }
        if (backgroundJobs < 1) {
            throw new IllegalArgumentException("background jobs: " + backgroundJobs);
        }
    }
}
