package io.dedupstore.core.metadata;

/** What must hold of the current object for a write or delete to take effect. */
public sealed interface Precondition {
    record None() implements Precondition {}

    /** If-None-Match: *. */
    record Absent() implements Precondition {}

    /** If-Match: *. */
    record Present() implements Precondition {}

    /** If-Match; without quotes. */
    record EtagIs(String etag) implements Precondition {}
}
