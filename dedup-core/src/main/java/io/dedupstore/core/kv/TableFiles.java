package io.dedupstore.core.kv;

import java.util.List;

/**
 * The files behind the tables of a store, as operators see them. Blocking, for long; any number of
 * threads, but no virtual ones. Reads and writes of the tables go on meanwhile.
 */
public interface TableFiles {
    /**
     * What one table takes. All but {@code fileBytes} and {@code files} are estimates.
     *
     * @param rows rows in files and memtables; what was deleted may be counted for a while
     * @param fileBytes length of the files that make up the table now
     * @param files how many
     * @param memtableBytes memory of what has not been flushed
     * @param filterBytes memory of filters and table indexes outside the cache
     * @param waitingBytes bytes that compaction has still to rewrite
     */
    record Figures(
            long rows,
            long fileBytes,
            long files,
            long memtableBytes,
            long filterBytes,
            long waitingBytes) {
        public static final Figures ZERO = new Figures(0, 0, 0, 0, 0, 0);

        public Figures plus(Figures more) {
            return new Figures(
                    rows + more.rows,
                    fileBytes + more.fileBytes,
                    files + more.files,
                    memtableBytes + more.memtableBytes,
                    filterBytes + more.filterBytes,
                    waitingBytes + more.waitingBytes);
        }
    }

    Figures figures(Table table);

    /**
     * What could not be read since the store was opened.
     *
     * @param places that were met, at most 1,000
     * @param first names the first of them; empty without any
     */
    record Damages(int places, String first) {}

    Damages damages();

    /** Told how far something is. */
    @FunctionalInterface
    interface Progress {
        /**
         * @return whether to go on
         */
        boolean at(long done, long total);
    }

    /**
     * Reads all files of these tables once from beginning to end, so that they are in the page
     * cache as far as it reaches. Progress is in bytes.
     *
     * @return false when it was told to stop
     */
    boolean readAll(List<Table> tables, Progress progress);

    /**
     * Has the filter and the top of the table index of every file of these tables in memory.
     * Progress is in files.
     *
     * @return false when it was told to stop
     */
    boolean readFilters(List<Table> tables, Progress progress);

    /**
     * Rewrites these tables without what was deleted or overwritten, file by file. What an open
     * snapshot still sees stays. Progress is in bytes as they were before.
     *
     * @return false when it was told to stop; what was done until then counts
     */
    boolean compact(List<Table> tables, Progress progress);
}
