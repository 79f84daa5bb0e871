package io.dedupstore.client.estimate;

import io.dedupstore.core.chunking.ChunkingSpec;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** From what an estimator says to what a person is shown. */
final class Figures {
    /** On disk, all included; the target that the index is held to. */
    private static final int INDEX_ENTRY_BYTES = 70;

    private static final int RATIO_SCALE = 3;
    private static final int PERCENT_SCALE = 2;

    private Figures() {}

    /**
     * @param chunkBytes of all chunks, read or not
     * @param inlineBytes beside them
     * @param whole whether all of them were read
     */
    static Estimate.Chunking of(
            SpecTally tally, double chunkBytes, long inlineBytes, boolean whole) {
        SpecTally.Totals totals = tally.totals();
        DistinctSample sample = tally.sample();
        Distinct distinct =
                whole
                        ? WholeEstimator.estimate(sample, totals)
                        : PartEstimator.estimate(sample, totals, chunkBytes);
        Range unique = distinct.bytes();
        Range duplicate = duplicate(chunkBytes, distinct, whole);
        Range stored = distinct.compressed().plus(inlineBytes);
        double logical = chunkBytes + inlineBytes;
        double read = Math.max(1, totals.allBytes());
        return new Estimate.Chunking(
                tally.spec().format(),
                !(tally.spec() instanceof ChunkingSpec.Cdc cdc) || cdc.isOffered(),
                whole && sample.level() == 0,
                Math.round(whole ? totals.chunks() : totals.chunks() * chunkBytes / read),
                bytes(unique),
                bytes(duplicate),
                bytes(distinct.zeroBytes()),
                ratio(chunkBytes, unique.plus(totals.distinctZeroBytes())),
                bytes(distinct.compressed()),
                bytes(stored),
                saved(logical, stored),
                Math.round(distinct.count()),
                Math.round(distinct.count() * INDEX_ENTRY_BYTES),
                sample.size(),
                1L << sample.level());
    }

    /** What is neither unique nor zero. */
    private static Range duplicate(double chunkBytes, Distinct distinct, boolean whole) {
        Range unique = distinct.bytes();
        Range zero = distinct.zeroBytes();
        double rest = chunkBytes - unique.value() - zero.value();
        double value = Math.max(0, rest);
        // Zero bytes are exact where all was read; else both errors are let add up.
        double low = chunkBytes - unique.high() - (whole ? zero.value() : zero.high());
        double high = chunkBytes - unique.low() - (whole ? zero.value() : zero.low());
        return new Range(Math.clamp(low, 0, value), value, Math.max(value, high));
    }

    private static Estimate.@Nullable Figure ratio(double chunkBytes, Range distinct) {
        if (chunkBytes == 0 || distinct.value() == 0) {
            return null;
        }
        double least = Math.max(1, chunkBytes / distinct.high());
        double value = Math.max(least, chunkBytes / distinct.value());
        double most = Math.max(value, chunkBytes / Math.max(1, distinct.low()));
        return new Estimate.Figure(
                decimal(value, RATIO_SCALE),
                decimal(least, RATIO_SCALE),
                decimal(most, RATIO_SCALE));
    }

    private static Estimate.@Nullable Figure saved(double logical, Range stored) {
        if (logical == 0) {
            return null;
        }
        return new Estimate.Figure(
                decimal(100 * (1 - stored.value() / logical), PERCENT_SCALE),
                decimal(100 * (1 - stored.high() / logical), PERCENT_SCALE),
                decimal(100 * (1 - stored.low() / logical), PERCENT_SCALE));
    }

    private static Estimate.Bytes bytes(Range range) {
        return new Estimate.Bytes(
                Math.round(range.value()), Math.round(range.low()), Math.round(range.high()));
    }

    static BigDecimal decimal(double value, int scale) {
        return BigDecimal.valueOf(value).setScale(scale, RoundingMode.HALF_UP);
    }
}
