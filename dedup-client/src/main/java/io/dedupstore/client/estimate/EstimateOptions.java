package io.dedupstore.client.estimate;

import io.dedupstore.core.chunking.ChunkingSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/**
 * How to estimate.
 *
 * @param specs ways of cutting; all are computed in one pass
 * @param share of the data to read, by chance; 1 for all
 * @param maxBytes read about so much and never more, by chance; 0 for no limit
 * @param sampleChunks distinct chunks to keep of each way of cutting; about 200 bytes of memory
 *     each
 * @param threads that read and cut; about 6 MiB of memory each
 * @param seed of all chance: the same data and options give the same estimate
 */
public record EstimateOptions(
        List<ChunkingSpec> specs,
        double share,
        long maxBytes,
        int sampleChunks,
        int threads,
        long seed) {
    public static final int DEFAULT_SAMPLE_CHUNKS = 65_536;
    public static final int MIN_SAMPLE_CHUNKS = 1_024;
    public static final int MAX_SAMPLE_CHUNKS = 4_194_304;
    public static final int MAX_THREADS = 64;

    /** What is computed when nothing else is asked for. */
    public static final List<ChunkingSpec> DEFAULT_SPECS =
            List.of(
                    ChunkingSpec.Cdc.ofAverage(8 << 10),
                    ChunkingSpec.Cdc.ofAverage(64 << 10),
                    ChunkingSpec.Cdc.ofAverage(256 << 10),
                    new ChunkingSpec.Fixed(4 << 10),
                    new ChunkingSpec.Fixed(64 << 10),
                    new ChunkingSpec.Fixed(128 << 10),
                    new ChunkingSpec.Fixed(1 << 20));

    private static final String LARGE_CDC = "cdc:(128|256)k";

    public EstimateOptions {
        specs = List.copyOf(specs);
        require(!specs.isEmpty(), "no chunking is asked for");
        require(new HashSet<>(specs).size() == specs.size(), "a chunking is named twice");
        require(share > 0 && share <= 1, "the share to read must be above 0 and at most 100 %");
        require(maxBytes >= 0, "the limit of bytes must not be negative");
        require(
                share == 1 || maxBytes == 0,
                "a share to read and a limit of bytes exclude each other");
        require(
                sampleChunks >= MIN_SAMPLE_CHUNKS && sampleChunks <= MAX_SAMPLE_CHUNKS,
                "the sample must be of %d to %d chunks"
                        .formatted(MIN_SAMPLE_CHUNKS, MAX_SAMPLE_CHUNKS));
        require(threads > 0 && threads <= MAX_THREADS, "threads must be 1 to " + MAX_THREADS);
    }

    /** As {@link ChunkingSpec#parse}, and averages that no bucket can have, {@code cdc:256k}. */
    public static ChunkingSpec parseSpec(String text) {
        String word = text.strip().toLowerCase(Locale.ROOT);
        if (word.matches(LARGE_CDC)) {
            return ChunkingSpec.Cdc.ofAverage(Integer.parseInt(word.substring(4, 7)) << 10);
        }
        return ChunkingSpec.parse(word);
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new EstimateException(EstimateException.Code.BAD_OPTIONS, otherwise);
        }
    }
}
