package io.dedupstore.core.metadata;

import io.dedupstore.core.model.V;
import java.util.Optional;

/**
 * What must hold of the current object for a write or delete to take effect, or of the version that
 * a delete names. A delete marker is no object.
 */
public sealed interface Precondition {
    record None() implements Precondition {}

    /** If-None-Match: *. */
    record Absent() implements Precondition {}

    /** If-Match: *. */
    record Present() implements Precondition {}

    /** If-Match; without quotes. */
    record EtagIs(String etag) implements Precondition {}

    /**
     * All that is given must match. Where there is no object, time and size hold.
     *
     * @param etag without quotes; {@code *} for any object
     */
    record Matches(Optional<String> etag, Optional<Long> modifiedSeconds, Optional<Long> size)
            implements Precondition {}

    /** It is still the version that this attempt made. */
    record MadeBy(V v) implements Precondition {}
}
