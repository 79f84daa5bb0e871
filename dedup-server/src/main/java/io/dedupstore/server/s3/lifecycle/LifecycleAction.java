package io.dedupstore.server.s3.lifecycle;

import io.dedupstore.core.metadata.ObjectVersion;

/** What is to be done about a version. */
sealed interface LifecycleAction {
    ObjectVersion version();

    /** A current object is deleted, as a client would: a version of it may stay. */
    record Expire(ObjectVersion version) implements LifecycleAction {}

    /** A version that is not current goes for good. */
    record Remove(ObjectVersion version) implements LifecycleAction {}

    /** A delete marker that hides nothing goes. */
    record Tidy(ObjectVersion version) implements LifecycleAction {}
}
