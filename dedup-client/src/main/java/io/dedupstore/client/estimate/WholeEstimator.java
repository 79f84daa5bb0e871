package io.dedupstore.client.estimate;

/**
 * For data of which every byte was read: all that is not known is how many bytes the distinct
 * chunks have, of which a share p was kept, independently of each other.
 *
 * <p>Horvitz and Thompson: the lengths kept, over p, are right on average; the variance of that is
 * estimated by (1-p)/p² times the sum of the squared lengths kept. How often chunks repeat does not
 * enter, so one chunk that is everywhere does no harm. With p = 1 the figures are exact.
 */
final class WholeEstimator {
    private WholeEstimator() {}

    static Distinct estimate(DistinctSample sample, SpecTally.Totals totals) {
        double p = sample.probability();
        double kept = 0;
        double squares = 0;
        for (SampledChunk chunk : sample.chunks()) {
            kept += chunk.length;
            squares += (double) chunk.length * chunk.length;
        }
        double most = totals.allBytes() - totals.allZeroBytes();
        double deviation = Math.sqrt((1 - p) * squares) / p;
        Range bytes = Range.around(kept / p, Normal.QUANTILE * deviation, kept, most);
        CompressionRatio ratio = CompressionRatio.of(sample);
        double relative =
                kept == 0
                        ? 0
                        : Math.sqrt(Math.pow(deviation * p / kept, 2) + ratio.relativeVariance());
        double compressed = bytes.value() * ratio.share();
        return new Distinct(
                bytes,
                sample.size() / p,
                Range.around(compressed, Normal.QUANTILE * relative * compressed, 0, most),
                Range.exactly(totals.allZeroBytes()));
    }
}
