package io.dedupstore.core.index;

import java.util.List;

/**
 * Reference counts of the entries that have references, in power-of-two buckets: bucket n counts
 * entries with 2^n to 2^(n+1)-1 references.
 */
public record Histogram(List<Bucket> buckets) {
    /** Reference counts have 32 bits. */
    public static final int BUCKETS = 32;

    /**
     * One bucket.
     *
     * @param chunks entries
     * @param references their references
     * @param chunkBytes plain bytes of the entries' chunks, each once
     * @param referencedBytes plain bytes, each as often as referenced
     */
    public record Bucket(long chunks, long references, long chunkBytes, long referencedBytes) {
        static final Bucket EMPTY = new Bucket(0, 0, 0, 0);

        Bucket plus(Bucket o) {
            return new Bucket(
                    chunks + o.chunks,
                    references + o.references,
                    chunkBytes + o.chunkBytes,
                    referencedBytes + o.referencedBytes);
        }
    }

    public Histogram {
        buckets = List.copyOf(buckets);
        if (buckets.size() != BUCKETS) {
            throw new IllegalArgumentException(BUCKETS + " buckets, not " + buckets.size());
        }
    }

    public Bucket total() {
        return buckets.stream().reduce(Bucket.EMPTY, Bucket::plus);
    }

    static int bucketOf(long references) {
        return Long.SIZE - 1 - Long.numberOfLeadingZeros(references);
    }
}
