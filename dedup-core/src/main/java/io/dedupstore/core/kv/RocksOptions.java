package io.dedupstore.core.kv;

import java.util.ArrayDeque;
import java.util.Deque;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionOptionsUniversal;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.RateLimiter;

/**
 * The native options of one store, freed together with it.
 *
 * <p>{@code POINT} tables are asked mostly for keys that they do not have, and grow by rows that
 * are spread evenly over all keys. Leveled compaction would rewrite every level for each few files
 * of new rows; merging runs of like size (universal) writes each row about half as often, at the
 * price of a few runs more to ask and of room for a second copy while the largest are merged. What
 * asking several runs adds up to is kept below one false positive in a hundred by 15 bits of Bloom
 * filter a key (with table indexes 2 bytes of memory). Ribbon filters would take a quarter less,
 * but the Java API reaches them only through option strings, and a table made from such a string
 * cannot use a shared block cache; building them also costs half as much CPU again. Filters and
 * table indexes stay outside the cache, in memory, so that looking up an absent key never reads the
 * disk; a small filter in front of each memtable spares the search there too.
 */
final class RocksOptions implements AutoCloseable {
    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;
    private static final double FILTER_BITS_PER_KEY = 10;
    private static final double POINT_FILTER_BITS_PER_KEY = 15;

    /** Runs of a table that are not merged further. */
    private static final int POINT_RUNS = 7;

    /** Of a memtable's size. */
    private static final double MEMTABLE_FILTER_SHARE = 0.02;

    /**
     * Of one table in memory, most of them waiting to be written. The common budget may have all
     * tables switched to new ones, small as they are, and a table with too many would stop writes;
     * what is to be replayed bounds them well enough.
     */
    private static final int MEMTABLES = 64;

    private static final int INDEX_RESTART_INTERVAL = 16;
    private static final int FORMAT_VERSION = 6;
    private static final long UNLIMITED_BYTES_PER_SECOND = 64L << 30;
    private static final long REFILL_MICROS = 20_000;

    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private final RocksResources shared;
    private final RateLimiter fileWrites;

    RocksOptions(RocksResources shared) {
        this.shared = shared;
        this.fileWrites =
                own(
                        new RateLimiter(
                                UNLIMITED_BYTES_PER_SECOND,
                                REFILL_MICROS,
                                RateLimiter.DEFAULT_FAIRNESS));
    }

    /** Of flushes, which go first, and compactions together. */
    void limitFileWrites(long bytesPerSecond) {
        fileWrites.setBytesPerSecond(Math.min(bytesPerSecond, UNLIMITED_BYTES_PER_SECOND));
    }

    DBOptions database(WriteMode mode, AbstractEventListener listener) {
        DBOptions options = own(new DBOptions());
        options.setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setAtomicFlush(mode == WriteMode.UNLOGGED)
                // Without: opens with damaged files, and a compaction that meets one is no failure.
                .setParanoidChecks(mode == WriteMode.SYNCED)
                .setWriteBufferManager(shared.writeBuffers())
                .setRateLimiter(fileWrites)
                .setMaxBackgroundJobs(shared.limits().backgroundJobs())
                .setMaxOpenFiles(-1)
                .setBytesPerSync(MIB)
                .setWalBytesPerSync(MIB)
                .setMaxTotalWalSize(32 * MIB)
                .setMaxManifestFileSize(16 * MIB)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(2)
                .setMaxLogFileSize(4 * MIB)
                // An error is final: the group or node stops and is started again.
                .setMaxBgErrorResumeCount(0)
                .setListeners(java.util.List.of(listener));
        if (shared.statistics() != null) {
            options.setStatistics(shared.statistics());
        }
        return options;
    }

    ColumnFamilyOptions table(Table.Profile profile) {
        ColumnFamilyOptions options =
                own(new ColumnFamilyOptions())
                        .setLevelCompactionDynamicLevelBytes(true)
                        .setTargetFileSizeBase(64 * MIB);
        switch (profile) {
            case POINT ->
                    options.setCompressionType(CompressionType.NO_COMPRESSION)
                            .setWriteBufferSize(shared.limits().memtableBytes())
                            .setMaxWriteBufferNumber(MEMTABLES)
                            .setCompactionStyle(CompactionStyle.UNIVERSAL)
                            .setCompactionOptionsUniversal(own(new CompactionOptionsUniversal()))
                            .setLevel0FileNumCompactionTrigger(POINT_RUNS)
                            // Runs pile up while the largest are merged; they cost lookups a
                            // little.
                            .setLevel0SlowdownWritesTrigger(6 * POINT_RUNS)
                            .setLevel0StopWritesTrigger(9 * POINT_RUNS)
                            .setMemtablePrefixBloomSizeRatio(MEMTABLE_FILTER_SHARE)
                            .setMemtableWholeKeyFiltering(true)
                            .setTableFormatConfig(pointFormat());
            case SCAN ->
                    options.setCompressionType(CompressionType.LZ4_COMPRESSION)
                            .setWriteBufferSize(32 * MIB)
                            .setArenaBlockSize(256 * KIB)
                            .setMaxWriteBufferNumber(MEMTABLES)
                            .setTableFormatConfig(cachedFormat(8 * KIB));
            case QUEUE, ONCE ->
                    // A full memtable takes all others of the store to disk with it, which are
                    // not full, and rows that would be gone soon: only the common budget ends it.
                    // Memory of an arena is taken as a whole: small ones, there are many queues.
                    options.setCompressionType(CompressionType.NO_COMPRESSION)
                            .setWriteBufferSize(shared.limits().memtableBytes())
                            .setArenaBlockSize(64 * KIB)
                            .setMaxWriteBufferNumber(MEMTABLES)
                            .setTableFormatConfig(cachedFormat(4 * KIB));
        }
        return options;
    }

    private BlockBasedTableConfig pointFormat() {
        return new BlockBasedTableConfig()
                .setFormatVersion(FORMAT_VERSION)
                .setBlockCache(shared.cache())
                .setBlockSize(4 * KIB)
                .setIndexBlockRestartInterval(INDEX_RESTART_INTERVAL)
                .setFilterPolicy(own(new BloomFilter(POINT_FILTER_BITS_PER_KEY)))
                .setCacheIndexAndFilterBlocks(false);
    }

    private BlockBasedTableConfig cachedFormat(long blockSize) {
        return new BlockBasedTableConfig()
                .setFormatVersion(FORMAT_VERSION)
                .setBlockCache(shared.cache())
                .setBlockSize(blockSize)
                .setFilterPolicy(own(new BloomFilter(FILTER_BITS_PER_KEY)))
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinL0FilterAndIndexBlocksInCache(true);
    }

    private <T extends AutoCloseable> T own(T object) {
        owned.push(object);
        return object;
    }

    @Override
    public void close() {
        owned.forEach(RocksOptions::closeQuietly);
        owned.clear();
    }

    private static void closeQuietly(AutoCloseable object) {
        try {
            object.close();
        } catch (Exception e) {
            throw new IllegalStateException("freeing native options failed", e);
        }
    }
}
