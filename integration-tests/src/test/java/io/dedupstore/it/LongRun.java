package io.dedupstore.it;

/** Whether {@code ./dedup test --long} asked for the long runs. */
final class LongRun {
    static final String PROPERTY = "dedup.test.long";

    /** For JUnit's EnabledIfSystemProperty. */
    static final String REASON = "long run: ./dedup test --long";

    private LongRun() {}

    static boolean asked() {
        return Boolean.getBoolean(PROPERTY);
    }

    static <T> T choose(T inShortRuns, T inLongRuns) {
        return asked() ? inLongRuns : inShortRuns;
    }
}
