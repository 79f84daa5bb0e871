package io.dedupstore.bench.workload;

import io.dedupstore.bench.workload.DuplicateDistribution.Bucket;
import java.util.Arrays;

/**
 * Counts what duplicates a sequence of contents really has, knowing nothing of how it was made.
 * Takes 32 to 64 bytes of memory for each distinct content at most. One thread.
 */
final class ReachedDuplicates {
    static final long MAX_RECORDS = 1L << 26;

    private static final int FIRST_CAPACITY = 1 << 16;

    /** An open-addressing table from content to copies and last place; free where there are 0. */
    private long[] contents = new long[FIRST_CAPACITY];

    private int[] copies = new int[FIRST_CAPACITY];
    private int[] last = new int[FIRST_CAPACITY];

    private final int recentRecords;
    private int distinct;
    private int records;
    private long runs;
    private long recent;
    private long previousContent;
    private int previousEarlier = -1;

    /**
     * @param recentRecords a duplicate counts as recent up to this distance
     */
    ReachedDuplicates(int recentRecords) {
        this.recentRecords = recentRecords;
    }

    void add(long content) {
        if (records == MAX_RECORDS) {
            throw new IllegalStateException("at most " + MAX_RECORDS + " records are counted");
        }
        if (distinct * 2L >= contents.length) {
            grow();
        }
        int slot = slot(content);
        int earlier = copies[slot] == 0 ? -1 : last[slot];
        if (earlier < 0) {
            distinct++;
            contents[slot] = content;
        } else {
            countDuplicate(content, earlier);
        }
        copies[slot]++;
        last[slot] = records++;
        previousContent = content;
        previousEarlier = earlier;
    }

    private void countDuplicate(long content, int earlier) {
        boolean goesOn =
                previousEarlier >= 0
                        && (earlier == previousEarlier + 1 || content == previousContent);
        if (!goesOn) {
            runs++;
        }
        if (records - earlier <= recentRecords) {
            recent++;
        }
    }

    long records() {
        return records;
    }

    long distinct() {
        return distinct;
    }

    long duplicates() {
        return records - distinct;
    }

    double ratio() {
        return (double) records / Math.max(1, distinct);
    }

    /** Records of a run of duplicates, on average. */
    double meanRun() {
        return (double) duplicates() / Math.max(1, runs);
    }

    /** Share of duplicates whose last copy before is recent. */
    double recentShare() {
        return (double) recent / Math.max(1, duplicates());
    }

    /** Copies of the commonest content over all records. */
    double largestShare() {
        return (double) Arrays.stream(copies).max().orElse(0) / Math.max(1, records);
    }

    /** Percent of the distinct contents that a bucket holds. */
    double shareOfContents(Bucket bucket) {
        return 100.0 * Arrays.stream(copies).filter(c -> holds(bucket, c)).count() / distinct;
    }

    /** Percent of the records that a bucket holds. */
    double shareOfRecords(Bucket bucket) {
        return 100.0
                * Arrays.stream(copies).filter(c -> holds(bucket, c)).asLongStream().sum()
                / records;
    }

    private static boolean holds(Bucket bucket, int copies) {
        return copies > 0 && bucket.holds(copies - 1);
    }

    private int slot(long content) {
        int mask = contents.length - 1;
        int slot = (int) Mixing.mix(content) & mask;
        while (copies[slot] > 0 && contents[slot] != content) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldContents = contents;
        int[] oldCopies = copies;
        int[] oldLast = last;
        int capacity = Math.multiplyExact(contents.length, 2);
        contents = new long[capacity];
        copies = new int[capacity];
        last = new int[capacity];
        for (int i = 0; i < oldContents.length; i++) {
            if (oldCopies[i] > 0) {
                int slot = slot(oldContents[i]);
                contents[slot] = oldContents[i];
                copies[slot] = oldCopies[i];
                last[slot] = oldLast[i];
            }
        }
    }
}
