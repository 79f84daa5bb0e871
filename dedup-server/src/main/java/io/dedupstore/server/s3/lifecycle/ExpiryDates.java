package io.dedupstore.server.s3.lifecycle;

import java.time.Duration;
import java.time.Instant;

/**
 * When a number of days is over: as in S3 at the midnight (UTC) that follows. Where a day is
 * shorter than a day, which is for trials, nothing is rounded.
 *
 * @param day what rules mean by a day
 */
public record ExpiryDates(Duration day) {
    private static final Duration WHOLE_DAY = Duration.ofDays(1);

    public static final ExpiryDates OF_DAYS = new ExpiryDates(WHOLE_DAY);

    public ExpiryDates {
        if (day.isNegative() || day.isZero() || day.compareTo(WHOLE_DAY) > 0) {
            throw new IllegalArgumentException("a day lasts up to a day, not " + day);
        }
    }

    Instant after(long sinceMillis, int days) {
        Instant plain = Instant.ofEpochMilli(sinceMillis).plus(day.multipliedBy(days));
        if (!day.equals(WHOLE_DAY)) {
            return plain;
        }
        long whole = WHOLE_DAY.toMillis();
        return Instant.ofEpochMilli(Math.ceilDiv(plain.toEpochMilli(), whole) * whole);
    }
}
