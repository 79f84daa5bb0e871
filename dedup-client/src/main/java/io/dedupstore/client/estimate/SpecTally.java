package io.dedupstore.client.estimate;

import io.dedupstore.core.chunking.ChunkingSpec;
import java.util.BitSet;

/** What was seen of the data under one way of cutting it. Any number of threads. */
final class SpecTally {
    private final ChunkingSpec spec;
    private final DistinctSample sample;
    private final long[] bytes = new long[Sampling.GROUPS];
    private final long[] zeroBytes = new long[Sampling.GROUPS];
    private final BitSet zeroLengths = new BitSet();
    private long chunks;
    private double pieceSquares;

    SpecTally(ChunkingSpec spec, DistinctSample sample) {
        this.spec = spec;
        this.sample = sample;
    }

    ChunkingSpec spec() {
        return spec;
    }

    DistinctSample sample() {
        return sample;
    }

    synchronized void addChunks(int group, int count, long length) {
        chunks += count;
        bytes[group] += length;
    }

    /** One of the chunks is all zero. */
    synchronized void addZero(int group, int length) {
        zeroBytes[group] += length;
        zeroLengths.set(length);
    }

    /** A piece has ended. */
    synchronized void addPiece(long length) {
        pieceSquares += (double) length * length;
    }

    /** A copy; to be taken when nobody adds any more. */
    synchronized Totals totals() {
        long distinctZeros = zeroLengths.stream().asLongStream().sum();
        return new Totals(chunks, bytes.clone(), zeroBytes.clone(), distinctZeros, pieceSquares);
    }

    /**
     * Exact figures of what was read.
     *
     * @param bytes of all chunks, by group of pieces
     * @param zeroBytes of all-zero chunks among them
     * @param distinctZeroBytes each length of all-zero chunks once
     * @param pieceSquares sum of the squared lengths of pieces
     */
    record Totals(
            long chunks,
            long[] bytes,
            long[] zeroBytes,
            long distinctZeroBytes,
            double pieceSquares) {
        long allBytes() {
            return sum(bytes);
        }

        long allZeroBytes() {
            return sum(zeroBytes);
        }

        private static long sum(long[] parts) {
            long sum = 0;
            for (long part : parts) {
                sum += part;
            }
            return sum;
        }
    }
}
