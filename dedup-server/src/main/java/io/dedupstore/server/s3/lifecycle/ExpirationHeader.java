package io.dedupstore.server.s3.lifecycle;

import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.server.s3.S3Dates;
import io.dedupstore.server.s3.UriText;
import java.time.Instant;
import java.util.Optional;

/**
 * What {@code x-amz-expiration} says of a current object: when the first rule that is about it will
 * expire it. It speaks of the calendar's days, whatever a day lasts here.
 */
public final class ExpirationHeader {
    public static final String NAME = "x-amz-expiration";

    private ExpirationHeader() {}

    /** Empty when no rule expires it. */
    public static Optional<String> of(LifecycleRules rules, ObjectVersion version) {
        Instant earliest = Instant.MAX;
        String rule = "";
        for (LifecycleRule candidate : rules.enabled()) {
            if (candidate.expiration().isEmpty() || !candidate.filter().matches(version)) {
                continue;
            }
            Instant date =
                    switch (candidate.expiration().get()) {
                        case LifecycleRule.AfterDays(int days) ->
                                ExpiryDates.OF_DAYS.after(version.modifiedMillis(), days);
                        case LifecycleRule.OnDate(Instant day) -> day;
                        case LifecycleRule.OfMarkers() -> Instant.MAX;
                    };
            if (date.isBefore(earliest)) {
                earliest = date;
                rule = candidate.id();
            }
        }
        return earliest.equals(Instant.MAX)
                ? Optional.empty()
                : Optional.of(
                        "expiry-date=\"%s\", rule-id=\"%s\""
                                .formatted(
                                        S3Dates.http(earliest.toEpochMilli()),
                                        UriText.encode(rule)));
    }
}
