package io.dedupstore.client.estimate;

/**
 * Compressed bytes over bytes of the chunks that were compressed: a ratio of two sums over an
 * independent choice of chunks, with the variance of its linearization.
 *
 * @param share 1 where nothing was compressed
 * @param relativeVariance of the share, by the choice of chunks
 */
record CompressionRatio(double share, double relativeVariance) {

    static CompressionRatio of(DistinctSample sample) {
        double plain = 0;
        double compressed = 0;
        for (SampledChunk chunk : sample.chunks()) {
            if (chunk.isCompressed()) {
                plain += chunk.length;
                compressed += chunk.compressedLength();
            }
        }
        if (plain == 0) {
            return new CompressionRatio(1, 0);
        }
        double share = compressed / plain;
        double squares = 0;
        for (SampledChunk chunk : sample.chunks()) {
            if (chunk.isCompressed()) {
                double residual = chunk.compressedLength() - share * chunk.length;
                squares += residual * residual;
            }
        }
        double variance = (1 - sample.compressedProbability()) * squares / (plain * plain);
        return new CompressionRatio(share, variance / (share * share));
    }
}
