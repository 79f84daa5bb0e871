package io.dedupstore.bench.workload;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * How often contents recur: buckets by number of duplicates (copies beyond the first), as counted
 * on real data. The five named ones are the data sets that DEDISbench ships; their shares were
 * computed from its tables, block by block, the kernels' halved, since its file has them twice.
 *
 * @param contents distinct contents of the data set that was counted
 * @param records its records, duplicates included
 * @param largestCopies copies of one content so common that its share of the records is kept at
 *     every size; 0 where there is none
 * @param buckets from few duplicates to many; none for data without duplicates
 */
public record DuplicateDistribution(
        String name, long contents, long records, long largestCopies, List<Bucket> buckets) {

    /** Stands for no upper end. */
    static final long MANY = Long.MAX_VALUE;

    /** Contents with more duplicates are found all over a data set, one here and one there. */
    static final long HOT_DUPLICATES = 1000;

    public static final DuplicateDistribution UNIQUE =
            new DuplicateDistribution("unique", 1, 1, 0, List.of());

    public static final DuplicateDistribution HIGHPERF =
            new DuplicateDistribution(
                    "highperf",
                    300_399_817,
                    400_599_152,
                    64_309_768,
                    List.of(
                            new Bucket(0, 0, 91.395, 68.535),
                            new Bucket(1, 1, 7.567, 11.349),
                            new Bucket(2, 2, 0.673, 1.514),
                            new Bucket(3, 3, 0.178, 0.534),
                            new Bucket(4, 4, 0.028, 0.105),
                            new Bucket(5, 9, 0.092, 0.485),
                            new Bucket(10, 31, 0.060, 0.771),
                            new Bucket(32, 99, 0.007, 0.204),
                            new Bucket(100, 999, 0.001, 0.072),
                            new Bucket(1000, MANY, 140 * 100.0 / 300_399_817, 16.430)));

    public static final DuplicateDistribution PERSONAL =
            new DuplicateDistribution(
                    "personal",
                    24_449_410,
                    29_530_586,
                    225_166,
                    List.of(
                            new Bucket(0, 0, 92.478, 76.566),
                            new Bucket(1, 1, 4.680, 7.749),
                            new Bucket(2, 2, 0.907, 2.252),
                            new Bucket(3, 3, 0.790, 2.615),
                            new Bucket(4, 4, 0.200, 0.829),
                            new Bucket(5, 9, 0.703, 4.233),
                            new Bucket(10, 31, 0.231, 3.182),
                            new Bucket(32, 99, 0.008, 0.362),
                            new Bucket(100, 999, 0.002, 0.647),
                            new Bucket(1000, MANY, 91 * 100.0 / 24_449_410, 1.565)));

    public static final DuplicateDistribution ARCHIVAL =
            new DuplicateDistribution(
                    "archival",
                    119_110_129,
                    127_484_220,
                    1_183_821,
                    List.of(
                            new Bucket(0, 0, 95.985, 89.680),
                            new Bucket(1, 1, 3.371, 6.300),
                            new Bucket(2, 2, 0.325, 0.912),
                            new Bucket(3, 3, 0.128, 0.478),
                            new Bucket(4, 4, 0.010, 0.049),
                            new Bucket(5, 9, 0.149, 1.001),
                            new Bucket(10, 31, 0.030, 0.382),
                            new Bucket(32, 99, 0, 0.022),
                            new Bucket(100, 999, 0, 0.025),
                            new Bucket(1000, MANY, 46 * 100.0 / 119_110_129, 1.151)));

    public static final DuplicateDistribution KERNELS =
            new DuplicateDistribution(
                    "kernels",
                    2_341_852,
                    5_988_932,
                    0,
                    List.of(
                            new Bucket(0, 0, 57.662, 22.548),
                            new Bucket(1, 1, 17.176, 13.432),
                            new Bucket(2, 2, 8.155, 9.567),
                            new Bucket(3, 3, 4.257, 6.658),
                            new Bucket(4, 4, 2.922, 5.712),
                            new Bucket(5, 9, 6.514, 18.799),
                            new Bucket(10, 31, 3.078, 19.534),
                            new Bucket(32, 99, 0.234, 3.551),
                            new Bucket(100, 999, 0.002, 0.198)));

    public static final DuplicateDistribution UBUNTU =
            new DuplicateDistribution(
                    "ubuntu",
                    1_998_498,
                    3_048_720,
                    7_040,
                    List.of(
                            new Bucket(0, 0, 73.461, 48.155),
                            new Bucket(1, 1, 22.326, 29.271),
                            new Bucket(2, 2, 0.992, 1.951),
                            new Bucket(3, 3, 1.219, 3.196),
                            new Bucket(4, 4, 0.042, 0.137),
                            new Bucket(5, 9, 0.681, 3.974),
                            new Bucket(10, 31, 1.279, 13.076),
                            new Bucket(32, 99, 0, 0.010),
                            new Bucket(1000, MANY, 100.0 / 1_998_498, 0.231)));

    public static final List<DuplicateDistribution> ALL =
            List.of(UNIQUE, HIGHPERF, PERSONAL, ARCHIVAL, KERNELS, UBUNTU);

    public DuplicateDistribution {
        if (name.isBlank() || contents < 1 || records < contents || largestCopies < 0) {
            throw new IllegalArgumentException("no such data set can have been counted: " + name);
        }
        buckets = List.copyOf(buckets);
        long next = 0;
        double share = 0;
        for (Bucket bucket : buckets) {
            if (bucket.minDuplicates() < next) {
                throw new IllegalArgumentException("buckets of " + name + " overlap");
            }
            next = bucket.maxDuplicates() == MANY ? MANY : bucket.maxDuplicates() + 1;
            share += bucket.shareOfRecords();
        }
        if (share > 100.1) {
            throw new IllegalArgumentException("buckets of " + name + " exceed 100 %: " + share);
        }
    }

    /**
     * Contents with this many duplicates.
     *
     * @param minDuplicates of a content
     * @param maxDuplicates of a content, itself included
     * @param shareOfContents percent of the distinct contents; 0 where it was not told
     * @param shareOfRecords percent of all records
     */
    public record Bucket(
            long minDuplicates, long maxDuplicates, double shareOfContents, double shareOfRecords) {
        public Bucket {
            if (minDuplicates < 0
                    || maxDuplicates < minDuplicates
                    || shareOfContents < 0
                    || shareOfRecords < 0) {
                throw new IllegalArgumentException("not a bucket of duplicates");
            }
        }

        boolean holds(long duplicates) {
            return duplicates >= minDuplicates && duplicates <= maxDuplicates;
        }

        /** {@code 4}, {@code 5-9} or {@code 1000+}. */
        public String label() {
            if (maxDuplicates == MANY) {
                return minDuplicates + "+";
            }
            return minDuplicates == maxDuplicates
                    ? Long.toString(minDuplicates)
                    : minDuplicates + "-" + maxDuplicates;
        }
    }

    /** Records over contents of the data set that was counted. */
    public double ratio() {
        return (double) records / contents;
    }

    /** Reads one of the names of {@link #ALL}. */
    public static DuplicateDistribution parse(String name) {
        for (DuplicateDistribution known : ALL) {
            if (known.name.equals(name.strip().toLowerCase(Locale.ROOT))) {
                return known;
            }
        }
        throw new IllegalArgumentException(
                "distribution must be one of "
                        + ALL.stream()
                                .map(DuplicateDistribution::name)
                                .collect(Collectors.joining(", "))
                        + ", not '"
                        + name
                        + "'");
    }
}
