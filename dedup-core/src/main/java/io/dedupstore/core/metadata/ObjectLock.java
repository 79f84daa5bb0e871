package io.dedupstore.core.metadata;

import java.util.Optional;

/**
 * What keeps a version from being removed.
 *
 * @param legalHold empty where nobody has said that it is on, or off
 */
public record ObjectLock(Optional<Retention> retention, Optional<Boolean> legalHold) {
    public static final ObjectLock NONE = new ObjectLock(Optional.empty(), Optional.empty());

    public ObjectLock withRetention(Optional<Retention> other) {
        return new ObjectLock(other, legalHold);
    }

    public ObjectLock withLegalHold(boolean on) {
        return new ObjectLock(retention, Optional.of(on));
    }

    /**
     * @param bypassGovernance whether the caller may remove what is under governance, and means to
     */
    boolean forbidsRemoval(long nowMillis, boolean bypassGovernance) {
        return legalHold.orElse(false)
                || active(nowMillis)
                        .filter(r -> r.mode() == Retention.Mode.COMPLIANCE || !bypassGovernance)
                        .isPresent();
    }

    /** Whether the retention there is may not be replaced by this one. */
    boolean forbidsChange(Optional<Retention> other, long nowMillis, boolean bypassGovernance) {
        return active(nowMillis)
                .filter(now -> now.mode() == Retention.Mode.COMPLIANCE || !bypassGovernance)
                .filter(now -> other.filter(then -> keeps(now, then)).isEmpty())
                .isPresent();
    }

    private static boolean keeps(Retention now, Retention then) {
        return then.mode() == now.mode() && then.untilMillis() >= now.untilMillis();
    }

    private Optional<Retention> active(long nowMillis) {
        return retention.filter(r -> r.untilMillis() > nowMillis);
    }
}
