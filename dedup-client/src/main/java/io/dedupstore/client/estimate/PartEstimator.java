package io.dedupstore.client.estimate;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntToDoubleFunction;

/**
 * For data of which pieces were read, each with probability q and independently.
 *
 * <p>What pieces that were read share with pieces that were not can't be known, and no estimator
 * guesses it well in all cases (Charikar and others, PODS 2000). So there are two bounds, each
 * right on average whatever the data look like. Let a chunk be in d pieces, and let W1, W2 and W be
 * the bytes of distinct chunks seen in exactly one, exactly two, and any number of the pieces read.
 *
 * <ul>
 *   <li>At most W1/q + (W - W1). The expectation of a chunk's weight is 1 + (d-1)(1-q)^d.
 *   <li>At least W + W1²/(2·W2 + r·W1) with r = q/(1-q), after Chao and Lin (Biometrics 2012). With
 *       F the bytes of chunks not seen and means over these, E W1 = r·F·mean(d) and E(2·W2 + r·W1)
 *       = r²·F·mean(d²), and mean(d)² ≤ mean(d²). Equal where all chunks are in the same number of
 *       pieces: all unique, or all twice.
 * </ul>
 *
 * <p>The interval goes from the lower bound less its error to the upper bound plus its own; the
 * figure itself is their geometric mean, off by the same factor at most in either direction. Errors
 * are by deleting one of twenty groups of pieces at a time (jackknife), plus the one of the sample
 * of chunks. For q the share of bytes is taken that came to be read, which takes out most of the
 * error from pieces of unequal length.
 *
 * <p>W2 is another matter: two pieces that share chunks are found together with probability q²
 * only, so it may rest on two or three pairs, or none, and what is not seen has no spread. In the
 * lower limit the largest value that it is likely to have on average takes its place: the limit of
 * Fay and Feuer (Statistics in Medicine 1997) for a sum of rare events of unequal weight, an event
 * being a pair of pieces that share something, and one as heavy as a whole piece never being
 * excluded.
 */
final class PartEstimator {
    /** Nothing is known beyond what is possible; a finite number, so that zero times it is zero. */
    private static final double LARGEST_LOG = 500;

    private final DistinctSample sample;
    private final Collection<SampledChunk> chunks;
    private final SpecTally.Totals totals;
    private final double population;

    /** Bytes of kept chunks in exactly one piece, in exactly two, and in any number. */
    private record Weights(double one, double two, double any) {
        double most(double q) {
            return one / q + any - one;
        }

        double least(double q) {
            return least(q, two);
        }

        double least(double q, double ofTwo) {
            double r = q / (1 - q);
            double divisor = 2 * ofTwo + r * one;
            return divisor == 0 ? any : any + one * one / divisor;
        }
    }

    private final Weights all;
    private final Weights[] without = new Weights[Sampling.GROUPS];
    private final CompressionRatio ratio;

    /**
     * @param population bytes of all chunks, read or not
     */
    private PartEstimator(DistinctSample sample, SpecTally.Totals totals, double population) {
        this.sample = sample;
        this.chunks = sample.chunks();
        this.totals = totals;
        this.population = population;
        this.all = weigh();
        this.ratio = CompressionRatio.of(sample);
    }

    static Distinct estimate(DistinctSample sample, SpecTally.Totals totals, double population) {
        if (totals.allBytes() == 0) {
            Range unknown = new Range(0, population / 2, population);
            return new Distinct(unknown, 0, unknown, unknown);
        }
        return new PartEstimator(sample, totals, population).estimate();
    }

    private Weights weigh() {
        double one = 0;
        double two = 0;
        double any = 0;
        double[] ones = new double[Sampling.GROUPS];
        double[] twos = new double[Sampling.GROUPS];
        double[] anys = new double[Sampling.GROUPS];
        for (SampledChunk chunk : chunks) {
            one += chunk.pieces() == 1 ? chunk.length : 0;
            two += chunk.pieces() == 2 ? chunk.length : 0;
            any += chunk.length;
            for (int group : chunk.groups()) {
                int left = chunk.piecesWithout(group);
                ones[group] +=
                        (left == 1 ? chunk.length : 0) - (chunk.pieces() == 1 ? chunk.length : 0);
                twos[group] +=
                        (left == 2 ? chunk.length : 0) - (chunk.pieces() == 2 ? chunk.length : 0);
                anys[group] -= left == 0 ? chunk.length : 0;
            }
        }
        for (int group = 0; group < Sampling.GROUPS; group++) {
            without[group] = new Weights(one + ones[group], two + twos[group], any + anys[group]);
        }
        return new Weights(one, two, any);
    }

    private Distinct estimate() {
        double p = sample.probability();
        double q = shareWithout(-1);
        double nonZero = Math.max(0, population - zeroBytes().low());
        double most = Math.min(all.most(q) / p, nonZero);
        double least = Math.min(all.least(q) / p, most);
        double errorOfMost =
                Math.hypot(
                        spreadOfLogs(group -> without[group].most(shareWithout(group))),
                        chunkErrorOfMost(q));
        double two = largestTwo();
        double lowest = Math.min(all.least(q, two) / p, least);
        double errorOfLeast =
                Math.hypot(
                        spreadOfLogs(group -> without[group].least(shareWithout(group), two)),
                        chunkErrorOfLeast(q, two));
        double value = Math.sqrt(least * most);
        Range bytes = between(lowest, errorOfLeast, value, most, errorOfMost, all.any(), nonZero);
        double ratioError = compressionError();
        Range compressed =
                between(
                        lowest * ratio.share(),
                        Math.hypot(errorOfLeast, ratioError),
                        value * ratio.share(),
                        most * ratio.share(),
                        Math.hypot(errorOfMost, ratioError),
                        0,
                        nonZero);
        double meanLength = chunks.isEmpty() ? 1 : all.any() / chunks.size();
        return new Distinct(bytes, bytes.value() / meanLength, compressed, zeroBytes());
    }

    /** The largest average of W2 that what was seen leaves likely. */
    private double largestTwo() {
        Map<Pair, Double> pairs = new HashMap<>();
        for (SampledChunk chunk : chunks) {
            if (chunk.pieces() == 2) {
                long a = Math.min(chunk.known()[0], chunk.known()[1]);
                long b = Math.max(chunk.known()[0], chunk.known()[1]);
                pairs.merge(new Pair(a, b), (double) chunk.length, Double::sum);
            }
        }
        // The length of the piece that a byte is in, on average over bytes.
        double heaviest = sample.probability() * totals.pieceSquares() / totals.allBytes();
        double sum = heaviest + all.two();
        double squares =
                heaviest * heaviest
                        + pairs.values().stream().mapToDouble(weight -> weight * weight).sum();
        return sum == 0 ? 0 : squares / sum * Normal.largestMean(sum * sum / squares);
    }

    private record Pair(long a, long b) {}

    private Range between(
            double least,
            double errorOfLeast,
            double middle,
            double most,
            double errorOfMost,
            double possible,
            double atMost) {
        double quantile = Normal.student(Math.max(1, groups() - 1));
        double low = least * Math.exp(-Math.min(LARGEST_LOG, quantile * errorOfLeast));
        double high = most * Math.exp(Math.min(LARGEST_LOG, quantile * errorOfMost));
        double value = Math.clamp(middle, Math.min(possible, atMost), atMost);
        return new Range(
                Math.min(value, Math.max(possible, low)),
                value,
                Math.max(value, Math.min(atMost, high)));
    }

    /** Share of the bytes that were read, or would have been without a group; -1 for no group. */
    private double shareWithout(int group) {
        double read = totals.allBytes() - (group < 0 ? 0 : totals.bytes()[group]);
        return Math.clamp(read / population, Double.MIN_NORMAL, Math.nextDown(1.0));
    }

    private int groups() {
        return (int) Arrays.stream(totals.bytes()).filter(bytes -> bytes > 0).count();
    }

    /** Standard error of the logarithm of a figure, from those without one group each. */
    private double spreadOfLogs(IntToDoubleFunction figureWithout) {
        int groups = groups();
        if (groups < 2) {
            return LARGEST_LOG;
        }
        double[] logs = new double[groups];
        int at = 0;
        for (int group = 0; group < Sampling.GROUPS; group++) {
            if (totals.bytes()[group] > 0) {
                logs[at++] = Math.log(Math.max(1, figureWithout.applyAsDouble(group)));
            }
        }
        double mean = Arrays.stream(logs).average().orElseThrow();
        double squares = Arrays.stream(logs).map(log -> (log - mean) * (log - mean)).sum();
        return Math.sqrt(squares * (groups - 1) / groups);
    }

    private double chunkErrorOfMost(double q) {
        return chunkError(1 / q, 1, 1, all.most(q));
    }

    /** Derivatives of the lower bound by W1, by W2, and by the rest of W. */
    private double chunkErrorOfLeast(double q, double two) {
        double r = q / (1 - q);
        double divisor = 2 * two + r * all.one();
        if (divisor == 0) {
            return chunkError(1, 1, 1, all.any());
        }
        double part = all.one() / divisor;
        return chunkError(
                1 + 2 * part - r * part * part, 1 - 2 * part * part, 1, all.least(q, two));
    }

    private double chunkError(double ofOne, double ofTwo, double ofMore, double figure) {
        double squares = 0;
        for (SampledChunk chunk : chunks) {
            double weight = chunk.pieces() == 1 ? ofOne : chunk.pieces() == 2 ? ofTwo : ofMore;
            squares += weight * weight * chunk.length * chunk.length;
        }
        return figure == 0 ? 0 : Math.sqrt((1 - sample.probability()) * squares) / figure;
    }

    private double compressionError() {
        double[] plain = new double[Sampling.GROUPS];
        double[] compressed = new double[Sampling.GROUPS];
        double allPlain = 0;
        double allCompressed = 0;
        for (SampledChunk chunk : chunks) {
            if (chunk.isCompressed()) {
                allPlain += chunk.length;
                allCompressed += chunk.compressedLength();
                for (int group : chunk.groups()) {
                    if (chunk.piecesWithout(group) == 0) {
                        plain[group] += chunk.length;
                        compressed[group] += chunk.compressedLength();
                    }
                }
            }
        }
        double plainOfAll = allPlain;
        double compressedOfAll = allCompressed;
        // Scaled up, since logarithms of less than one are taken for zero.
        double spread =
                spreadOfLogs(
                        group ->
                                plainOfAll == plain[group]
                                        ? Double.MAX_VALUE
                                        : 1e9
                                                * (compressedOfAll - compressed[group])
                                                / (plainOfAll - plain[group]));
        return Math.hypot(spread, Math.sqrt(ratio.relativeVariance()));
    }

    private Range zeroBytes() {
        double share = (double) totals.allZeroBytes() / totals.allBytes();
        int groups = groups();
        if (groups < 2) {
            return new Range(totals.allZeroBytes(), share * population, population);
        }
        double[] shares = new double[groups];
        int at = 0;
        for (int group = 0; group < Sampling.GROUPS; group++) {
            long bytes = totals.bytes()[group];
            if (bytes > 0) {
                double left = totals.allBytes() - bytes;
                shares[at++] = (totals.allZeroBytes() - totals.zeroBytes()[group]) / left;
            }
        }
        double mean = Arrays.stream(shares).average().orElseThrow();
        double squares = Arrays.stream(shares).map(s -> (s - mean) * (s - mean)).sum();
        double error = Math.sqrt(squares * (groups - 1) / groups);
        return Range.around(
                share * population,
                Normal.student(groups - 1) * error * population,
                totals.allZeroBytes(),
                population);
    }
}
