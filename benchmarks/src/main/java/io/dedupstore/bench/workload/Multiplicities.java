package io.dedupstore.bench.workload;

import io.dedupstore.bench.workload.DuplicateDistribution.Bucket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A distribution laid out over a number of records, exactly: how many contents have how many
 * copies. Shares of records are kept; what is too little for a content of its bucket goes to the
 * next lower one, and at last to the contents without duplicates. A small data set therefore lacks
 * the highest buckets.
 */
final class Multiplicities {
    /** Within a bucket copies vary, evenly around their mean. */
    private static final int STEPS = 8;

    private final DuplicateDistribution distribution;
    private final long records;
    private final List<Multiplicity> found = new ArrayList<>();
    private long placed;

    /**
     * @param copies of each content, the first included
     * @param contents how many contents
     */
    record Multiplicity(long copies, long contents) {}

    private Multiplicities(DuplicateDistribution distribution, long records) {
        this.distribution = distribution;
        this.records = records;
    }

    /** Those of two and more copies, from many copies to few; all other records are unique. */
    static List<Multiplicity> of(DuplicateDistribution distribution, long records) {
        Multiplicities result = new Multiplicities(distribution, records);
        result.place();
        return List.copyOf(result.found);
    }

    private void place() {
        long carried = 0;
        for (Bucket bucket : distribution.buckets().reversed()) {
            if (bucket.minDuplicates() == 0) {
                continue;
            }
            long room = Math.round(bucket.shareOfRecords() / 100 * records) + carried;
            if (bucket.maxDuplicates() == DuplicateDistribution.MANY) {
                room -= placeLargest(room);
            }
            carried = room - place(copiesIn(bucket), Math.min(room, records - placed));
        }
    }

    private long placeLargest(long room) {
        double share = (double) distribution.largestCopies() / distribution.records();
        long copies = Math.min(room, Math.round(share * records));
        if (copies < 2) {
            return 0;
        }
        add(copies, 1);
        return copies;
    }

    /** Equally many contents of each number of copies, then one more of those that still fit. */
    private long place(List<Long> copies, long room) {
        long each = room / copies.stream().mapToLong(Long::longValue).sum();
        long left = room;
        for (long count : copies.reversed()) {
            left -= each * count;
        }
        for (long count : copies.reversed()) {
            long more = Math.min(1, left / count);
            left -= more * count;
            if (each + more > 0) {
                add(count, each + more);
            }
        }
        long least = copies.getFirst();
        if (left >= least) {
            add(least, left / least);
            left %= least;
        }
        return room - left;
    }

    private void add(long copies, long contents) {
        found.add(new Multiplicity(copies, contents));
        placed += copies * contents;
    }

    private List<Long> copiesIn(Bucket bucket) {
        double low = bucket.minDuplicates() + 1.0;
        double high = bucket.maxDuplicates() + 1.0;
        double mean = meanCopies(bucket, low, high);
        double from = mean <= (low + high) / 2 ? low : 2 * mean - high;
        double to = 2 * mean - from;
        if (bucket.minDuplicates() == bucket.maxDuplicates()) {
            return List.of(bucket.minDuplicates() + 1);
        }
        List<Long> copies = new ArrayList<>();
        double owed = 0;
        for (int step = 0; step < STEPS; step++) {
            // What rounding takes from one it gives to the next, so that the mean stays.
            owed += from + (to - from) * (2 * step + 1) / (2 * STEPS);
            long some = (long) Math.clamp(Math.rint(owed), low, high);
            owed -= some;
            copies.add(some);
        }
        Collections.sort(copies);
        return copies;
    }

    /** By the counts, or the middle of the bucket where these were rounded too far to tell. */
    private double meanCopies(Bucket bucket, double low, double high) {
        double contents = bucket.shareOfContents() / 100 * distribution.contents();
        double copies = bucket.shareOfRecords() / 100 * distribution.records();
        if (bucket.maxDuplicates() == DuplicateDistribution.MANY) {
            double scale = Math.min(1, (double) records / distribution.records());
            double others = (copies - distribution.largestCopies()) / Math.max(1, contents - 1);
            return Math.max(low, others * scale);
        }
        double mean = contents == 0 ? 0 : copies / contents;
        return mean >= low && mean <= high ? mean : Math.sqrt(low * high);
    }
}
