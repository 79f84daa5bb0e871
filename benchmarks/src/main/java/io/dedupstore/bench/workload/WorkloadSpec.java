package io.dedupstore.bench.workload;

/**
 * All that decides the bytes of a workload. The same spec gives the same bytes in every release and
 * on every machine.
 *
 * @param seed two seeds share no content
 * @param recordBytes unit of duplication
 * @param objectBytes length of each object's first version. Every object begins with a record of
 *     its own, so a length that is no multiple cuts its last record short.
 * @param objects how many
 * @param compressionRatio bytes over compressed bytes, 1 (random) to 10, within 5 % for zstd and
 *     lz4 at 8 KiB and more
 */
public record WorkloadSpec(
        long seed,
        int recordBytes,
        long objectBytes,
        long objects,
        DuplicateDistribution duplicates,
        Locality locality,
        double compressionRatio,
        Edits edits) {
    static final int MIN_RECORD_BYTES = 64;

    /** Numbers of contents have room for more, tables of duplicates have not. */
    static final long MAX_RECORDS = 1L << 40;

    static final long MAX_DUPLICATED_RECORDS = 1L << 32;
    static final long MAX_OBJECTS = 1L << 36;

    public WorkloadSpec {
        if (recordBytes < MIN_RECORD_BYTES) {
            throw new IllegalArgumentException("a record has 64 bytes or more: " + recordBytes);
        }
        if (objectBytes < 1 || objects < 1 || objects > MAX_OBJECTS) {
            throw new IllegalArgumentException(
                    "a workload has 1 to 2^36 objects of at least one byte");
        }
        boolean duplicated = !duplicates.buckets().isEmpty();
        long limit = duplicated ? MAX_DUPLICATED_RECORDS : MAX_RECORDS;
        long perObject = (objectBytes - 1) / recordBytes + 1;
        if (perObject > limit / objects) {
            throw new IllegalArgumentException(
                    "too many records: at most " + limit + (duplicated ? " with duplicates" : ""));
        }
        if (!(compressionRatio >= 1 && compressionRatio <= ContentBytes.MAX_RATIO)) {
            throw new IllegalArgumentException(
                    "compression ratio must be 1 to 10: " + compressionRatio);
        }
    }

    /** Random records, each different, each an object. */
    public static WorkloadSpec unique(long seed, int recordBytes, long records) {
        return new WorkloadSpec(
                seed,
                recordBytes,
                recordBytes,
                records,
                DuplicateDistribution.UNIQUE,
                Locality.NONE,
                1,
                Edits.NONE);
    }

    public WorkloadSpec withObjects(long count, long bytes) {
        return new WorkloadSpec(
                seed, recordBytes, bytes, count, duplicates, locality, compressionRatio, edits);
    }

    public WorkloadSpec withDuplicates(DuplicateDistribution distribution, Locality where) {
        return new WorkloadSpec(
                seed,
                recordBytes,
                objectBytes,
                objects,
                distribution,
                where,
                compressionRatio,
                edits);
    }

    public WorkloadSpec withCompressionRatio(double ratio) {
        return new WorkloadSpec(
                seed, recordBytes, objectBytes, objects, duplicates, locality, ratio, edits);
    }

    public WorkloadSpec withEdits(Edits change) {
        return new WorkloadSpec(
                seed,
                recordBytes,
                objectBytes,
                objects,
                duplicates,
                locality,
                compressionRatio,
                change);
    }

    public long recordsPerObject() {
        return (objectBytes - 1) / recordBytes + 1;
    }

    public long records() {
        return recordsPerObject() * objects;
    }
}
