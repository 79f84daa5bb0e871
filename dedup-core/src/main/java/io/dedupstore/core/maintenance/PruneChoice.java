package io.dedupstore.core.maintenance;

/** Which of the entries with one reference go; always the oldest by their last touch. */
public sealed interface PruneChoice {
    /** Those last touched before this time, in seconds since 1970. */
    record TouchedBefore(long seconds) implements PruneChoice {
        public TouchedBefore {
            if (seconds < 0) {
                throw new IllegalArgumentException("time " + seconds);
            }
        }
    }

    /** This share of them, exactly, rounded down: 0 to 100. */
    record Percent(double percent) implements PruneChoice {
        public Percent {
            if (!(percent >= 0 && percent <= 100)) {
                throw new IllegalArgumentException("percent must be 0 to 100, not " + percent);
            }
        }
    }

    /** This many of them, or all. */
    record Entries(long count) implements PruneChoice {
        public Entries {
            if (count < 0) {
                throw new IllegalArgumentException("number of entries " + count);
            }
        }
    }
}
