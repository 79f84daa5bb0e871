package io.dedupstore.core.metadata;

import io.dedupstore.core.model.IndexMessage;

/**
 * How much of what nobody waits for one command does. Commands say it themselves, since replicas
 * and replays of all releases have to do the same: what it is may change, what a command in a log
 * means may not.
 *
 * @param bytes of rows gone over, after which a step ends
 */
record WorkSize(int bytes) {
    private static final int LEAST_BYTES = 16 << 10;
    private static final int MOST_BYTES = 256 << 10;

    /** What commands mean that do not say: release 1 wrote them. */
    static final WorkSize UNSAID = new WorkSize(MOST_BYTES);

    /** One full manifest row: few enough that a request behind it hardly waits. */
    static final WorkSize USUAL = new WorkSize(64 << 10);

    WorkSize {
        if (bytes < LEAST_BYTES || bytes > MOST_BYTES) {
            throw new IllegalArgumentException("bytes of a step: " + bytes);
        }
    }

    /** Rows written, after which a step ends. */
    int writes() {
        return bytes / 262;
    }

    /** Rows of invisible holders that are dropped before the budget is looked at again. */
    int invisibleTogether() {
        return equals(UNSAID) ? 250 : 1;
    }

    /** References in one RELEASE: the index takes it as a whole. */
    int releasedTogether() {
        return Math.min(bytes / 256, IndexMessage.Release.MAX_REFERENCES);
    }
}
