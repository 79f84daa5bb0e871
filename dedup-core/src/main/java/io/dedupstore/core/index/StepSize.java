package io.dedupstore.core.index;

/**
 * How much of what nobody waits for one command works off. Commands say it themselves, since
 * replicas and replays of all releases have to do the same: what it is may change, what a command
 * in a log means may not.
 *
 * @param rows that the command touches at most
 */
public record StepSize(int rows) {
    private static final int MOST_ROWS = 4_096;

    /** What commands mean that do not say: release 1 wrote them. */
    static final StepSize UNSAID = new StepSize(StepSize.MOST_ROWS);

    /** Few enough that a claim behind it hardly waits, and enough for a verdict on 8 MiB. */
    static final StepSize USUAL = new StepSize(1_128);

    private static final int ROWS_BESIDE = 96;
    private static final int LEAST_ROWS = 2 * ROWS_BESIDE;

    public StepSize {
        if (rows < LEAST_ROWS || rows > MOST_ROWS) {
            throw new IllegalArgumentException("rows of a step: " + rows);
        }
    }

    /** Answers where all are kept: one row each. */
    int keptAnswers() {
        return rows - ROWS_BESIDE;
    }

    /** Answers where some are dropped: at most four rows each. */
    int answers() {
        return keptAnswers() / 4;
    }

    /** Entries without references: at most five rows each. */
    int zombies() {
        return keptAnswers() / 5;
    }
}
