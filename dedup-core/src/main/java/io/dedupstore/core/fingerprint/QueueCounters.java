package io.dedupstore.core.fingerprint;

/** What one queue has done. Guarded by the engine's lock. */
final class QueueCounters {
    static final int MAX_ROWS = 64;

    /** Waiting times by powers of two of nanoseconds. */
    private static final int WAIT_SLOTS = 48;

    private final long[] callsByRows = new long[MAX_ROWS + 1];
    private final long[] waits = new long[WAIT_SLOTS];
    private long begun;
    private long waitNanos;
    private long bytes;
    private long busyNanos;

    void began(long waitedNanos) {
        long waited = Math.max(0, waitedNanos);
        begun++;
        waitNanos += waited;
        waits[Math.min(WAIT_SLOTS - 1, Long.SIZE - Long.numberOfLeadingZeros(waited))]++;
    }

    void called(int rows, long runBytes, long nanos) {
        callsByRows[Math.min(rows, MAX_ROWS)]++;
        bytes += runBytes;
        busyNanos += nanos;
    }

    HashStatistics.Queue snapshot(JobQueue queue, int lanes) {
        return new HashStatistics.Queue(
                queue.name(),
                queue.wanted(),
                queue.putOff(),
                begun,
                bytes,
                busyNanos / 1e9,
                waitNanos / 1e9,
                quantile(0.5),
                quantile(0.99),
                lanes,
                callsByRows.clone());
    }

    /** An upper bound of the quantile, in seconds; a power of two of nanoseconds. */
    private double quantile(double share) {
        long wanted = (long) Math.ceil(begun * share);
        long seen = 0;
        for (int i = 0; i < WAIT_SLOTS; i++) {
            seen += waits[i];
            if (seen >= wanted && seen > 0) {
                return (1L << i) / 1e9;
            }
        }
        return 0;
    }
}
