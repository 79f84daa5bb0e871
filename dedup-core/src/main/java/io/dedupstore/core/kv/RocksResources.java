package io.dedupstore.core.kv;

import java.util.EnumSet;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Cache;
import org.rocksdb.HistogramType;
import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;
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
    private final @Nullable Statistics statistics;

    public RocksResources(StoreLimits limits) {
        this(limits, null);
    }

    /** As the other constructor, and counts what the stores do, which costs them a little. */
    public static RocksResources counting(StoreLimits limits) {
        EnumSet<HistogramType> times = EnumSet.allOf(HistogramType.class);
        times.remove(HistogramType.HISTOGRAM_ENUM_MAX);
        return new RocksResources(limits, new Statistics(times));
    }

    private RocksResources(StoreLimits limits, @Nullable Statistics statistics) {
        this.limits = limits;
        this.statistics = statistics;
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

    @Nullable Statistics statistics() {
        return statistics;
    }

    /**
     * What has been done.
     *
     * @throws IllegalStateException nobody counts
     */
    public StoreWork work() {
        Statistics counted = statistics;
        if (counted == null) {
            throw new IllegalStateException("these stores do not count what they do");
        }
        return new StoreWork(
                counted.getTickerCount(TickerType.FLUSH_WRITE_BYTES),
                counted.getTickerCount(TickerType.COMPACT_WRITE_BYTES),
                counted.getTickerCount(TickerType.BLOCK_CACHE_DATA_MISS),
                counted.getTickerCount(TickerType.BLOOM_FILTER_USEFUL),
                counted.getTickerCount(TickerType.BLOOM_FILTER_FULL_POSITIVE),
                counted.getTickerCount(TickerType.BLOOM_FILTER_FULL_TRUE_POSITIVE));
    }

    /** Bytes of blocks and memtables in memory now. */
    public long usedBytes() {
        return cache.getUsage();
    }

    @Override
    public void close() {
        writeBuffers.close();
        cache.close();
        if (statistics != null) {
            statistics.close();
        }
    }
}
