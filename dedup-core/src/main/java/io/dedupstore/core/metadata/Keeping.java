package io.dedupstore.core.metadata;

import java.util.Optional;

/**
 * How the bucket that a version is written to keeps versions.
 *
 * @param defaultRetention of versions that come with none of their own
 */
public record Keeping(Versioning versioning, Optional<Default> defaultRetention) {
    public static final Keeping UNVERSIONED = of(Versioning.NEVER);

    /** Retention from the commit on. */
    public record Default(Retention.Mode mode, long millis) {
        public Default {
            if (millis <= 0) {
                throw new IllegalArgumentException("retention for " + millis + " ms");
            }
        }
    }

    public static Keeping of(Versioning versioning) {
        return new Keeping(versioning, Optional.empty());
    }

    ObjectLock lockOf(ObjectAttributes attributes, long nowMillis) {
        ObjectLock given = attributes.lock();
        return given.retention().isPresent()
                ? given
                : given.withRetention(
                        defaultRetention.map(
                                d ->
                                        new Retention(
                                                d.mode(), Math.addExact(nowMillis, d.millis()))));
    }
}
