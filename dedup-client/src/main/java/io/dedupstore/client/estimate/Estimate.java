package io.dedupstore.client.estimate;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found out; the shape of {@code --json}.
 *
 * @param items files or objects that were listed
 * @param logicalBytes of what the figures are about: all that was listed, or, where not everything
 *     could be read, what was
 * @param inlineBytes of items so small that they stay in the metadata, where nothing deduplicates
 * @param readBytes taken from the source
 * @param share of the bytes that the figures rest on
 * @param readPieces items, and pieces of large ones, that were read
 * @param skipped items that could not be listed or read
 * @param firstSkipped what happened to the first of them
 * @param stopped why not everything was looked at that should have been; null when it was
 */
public record Estimate(
        String source,
        long items,
        long logicalBytes,
        long inlineBytes,
        long readBytes,
        BigDecimal share,
        long readPieces,
        long skipped,
        @Nullable String firstSkipped,
        @Nullable String stopped,
        long seed,
        List<Chunking> chunkings) {
    public Estimate {
        chunkings = List.copyOf(chunkings);
    }

    /** Whether all was looked at that should have been. */
    public boolean complete() {
        return stopped == null && skipped == 0;
    }

    /** Bytes, and between what they lie, 19 times in 20. */
    public record Bytes(long value, long low, long high) {}

    /** A ratio or percentage, and between what it lies, 19 times in 20. */
    public record Figure(BigDecimal value, BigDecimal low, BigDecimal high) {}

    /**
     * One way of cutting. Logical bytes are inline, unique, duplicate and zero bytes together.
     *
     * @param chunking cdc:64k, fixed:128k, ...
     * @param offered whether a bucket can have it
     * @param exact whether the figures before compression are certain
     * @param chunks references to chunks
     * @param uniqueBytes each distinct chunk that is not all zero once
     * @param duplicateBytes its repetitions
     * @param zeroBytes in all-zero chunks, which need no room
     * @param dedupRatio bytes of all chunks over those of distinct ones, as the store counts it;
     *     null without chunks
     * @param compressedBytes the unique bytes after zstd
     * @param storedBytes compressed and inline bytes together
     * @param savedPercent what of the logical bytes needs no room; null without any
     * @param distinctChunks entries of the fingerprint index
     * @param indexBytes that they need on disk at most
     * @param sampledChunks that the figures rest on
     * @param sampledOneIn of so many distinct chunks one was kept
     */
    public record Chunking(
            String chunking,
            boolean offered,
            boolean exact,
            long chunks,
            Bytes uniqueBytes,
            Bytes duplicateBytes,
            Bytes zeroBytes,
            @Nullable Figure dedupRatio,
            Bytes compressedBytes,
            Bytes storedBytes,
            @Nullable Figure savedPercent,
            long distinctChunks,
            long indexBytes,
            int sampledChunks,
            long sampledOneIn) {}
}
