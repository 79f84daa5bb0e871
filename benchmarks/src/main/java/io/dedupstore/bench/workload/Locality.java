package io.dedupstore.bench.workload;

/**
 * Where duplicates stand. Real duplicates come in runs (a file again, an image again) and most soon
 * after the original; independent draws have neither.
 *
 * @param meanRun records of a run, on average: that many records in a row repeat as many records in
 *     a row. Runs have powers of two as lengths, long ones being rarer. 1 is no runs.
 * @param recentShare share of repeated runs all of whose copies stand within one stretch; the
 *     others are spread over the whole data set
 * @param stretchRecords length of a stretch in records: how recent is recent
 */
public record Locality(double meanRun, double recentShare, int stretchRecords) {
    static final int MIN_STRETCH = 256;
    static final int MAX_STRETCH = 1 << 20;
    static final double MAX_RUN = 1024;

    /** As DEDISbench draws: each record by itself, duplicates anywhere. */
    public static final Locality NONE = new Locality(1, 0, 4096);

    /** Runs of 8 records, 60 % of them repeated within 4096 records. */
    public static final Locality TYPICAL = new Locality(8, 0.6, 4096);

    public Locality {
        if (!(meanRun >= 1 && meanRun <= MAX_RUN)) {
            throw new IllegalArgumentException("mean run must be 1 to 1024 records: " + meanRun);
        }
        if (!(recentShare >= 0 && recentShare <= 1)) {
            throw new IllegalArgumentException("recent share must be 0 to 1: " + recentShare);
        }
        if (stretchRecords < MIN_STRETCH || stretchRecords > MAX_STRETCH) {
            throw new IllegalArgumentException(
                    "a stretch has 256 to 1048576 records, not " + stretchRecords);
        }
    }
}
