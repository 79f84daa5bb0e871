package io.dedupstore.core.maintenance;

import java.util.concurrent.TimeUnit;

/**
 * Keeps work to so many units a second: says how long to wait after each piece. What was not used
 * is lost after a tenth of a second, so that no burst follows a rest. Any thread.
 */
public final class RatePacer {
    private static final long MOST_SAVED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final double nanosPerUnit;
    private long nextNanos;
    private boolean begun;

    /**
     * @param unitsPerSecond bytes or entries; positive
     */
    public RatePacer(long unitsPerSecond) {
        if (unitsPerSecond < 1) {
            throw new IllegalArgumentException("a rate of " + unitsPerSecond);
        }
        this.nanosPerUnit = (double) TimeUnit.SECONDS.toNanos(1) / unitsPerSecond;
    }

    /** Notes work that was done and returns how long to wait before more. */
    public synchronized long spend(long units, long nowNanos) {
        long earliest = nowNanos - MOST_SAVED_NANOS;
        if (!begun || nextNanos - earliest < 0) {
            nextNanos = earliest;
            begun = true;
        }
        nextNanos += (long) (units * nanosPerUnit);
        return Math.max(0, nextNanos - nowNanos);
    }
}
