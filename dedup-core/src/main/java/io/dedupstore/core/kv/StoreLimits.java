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

    /** 96 MiB in all, half of it for memtables. */
    public static final StoreLimits DEFAULT = new StoreLimits(96 * MIB, 48 * MIB, 2);

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
