package io.dedupstore.server.s3.lifecycle;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One rule.
 *
 * @param expiration of what is current
 * @param noncurrent of what is not current any more
 * @param abortAfterDays from the beginning of an upload that was not completed
 */
record LifecycleRule(
        String id,
        boolean enabled,
        LifecycleFilter filter,
        Optional<Expiration> expiration,
        Optional<Noncurrent> noncurrent,
        OptionalInt abortAfterDays) {
    /** When what is current expires. */
    sealed interface Expiration {}

    record AfterDays(int days) implements Expiration {}

    record OnDate(Instant date) implements Expiration {}

    /** Delete markers behind which there is nothing. */
    record OfMarkers() implements Expiration {}

    /**
     * @param afterDays from when a version stopped being current
     * @param kept so many of them, the newest, stay all the same
     */
    record Noncurrent(int afterDays, int kept) {}
}
