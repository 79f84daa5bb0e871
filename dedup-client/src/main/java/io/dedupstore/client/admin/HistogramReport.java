package io.dedupstore.client.admin;

import java.util.List;

/**
 * The fingerprint index by reference count.
 *
 * @param entries all of them
 * @param uniqueEntries those with one reference
 */
public record HistogramReport(long entries, long uniqueEntries, List<Row> rows) {
    public HistogramReport {
        rows = List.copyOf(rows);
    }

    /**
     * Chunks with a reference count from this power of two up to below the next.
     *
     * @param chunkBytes their plain bytes, each chunk once
     * @param referencedBytes their plain bytes, each reference counted
     */
    public record Row(
            long references,
            long chunks,
            long chunkBytes,
            long referenceCount,
            long referencedBytes) {}
}
