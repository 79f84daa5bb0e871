package io.dedupstore.core.kv;

import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/**
 * The block cache and memtable budget that every store of a process shares. Close it after them.
 */
public final class RocksResources implements AutoCloseable {
    static {
        RocksDB.loadLibrary();
    }

    private final StoreLimits limits;
    private final Cache cache;
    private final WriteBufferManager writeBuffers;

    public RocksResources(StoreLimits limits) {
        this.limits = limits;
        this.cache = new LRUCache(limits.cacheBytes());
        // Never stalls writers: they are paced by the log, and a stall here would block an apply.
        this.writeBuffers = new WriteBufferManager(limits.memtableBytes(), cache, false);
    }

    StoreLimits limits() {
        return limits;
    }

    Cache cache() {
        return cache;
    }

    WriteBufferManager writeBuffers() {
        return writeBuffers;
    }

    /** Bytes of blocks and memtables in memory now. */
    public long usedBytes() {
        return cache.getUsage();
    }

    @Override
    public void close() {
        writeBuffers.close();
        cache.close();
    }
}
