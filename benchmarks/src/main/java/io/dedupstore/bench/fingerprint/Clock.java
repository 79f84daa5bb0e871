package io.dedupstore.bench.fingerprint;

/** The best of many rounds: other load only ever makes a round slower. */
final class Clock {
    private static final int WARM_ROUNDS = 3;

    private final long nanosEach;

    /**
     * @param millisEach for each figure
     */
    Clock(long millisEach) {
        this.nanosEach = millisEach * 1_000_000;
    }

    /** Seconds of one run. */
    double seconds(Runnable run) {
        for (int i = 0; i < WARM_ROUNDS; i++) {
            run.run();
        }
        double best = Double.MAX_VALUE;
        long end = System.nanoTime() + nanosEach;
        do {
            long start = System.nanoTime();
            run.run();
            best = Math.min(best, (System.nanoTime() - start) / 1e9);
        } while (System.nanoTime() < end);
        return best;
    }

    /** GB, of 10^9 bytes, a second. */
    double rate(long bytes, Runnable run) {
        return bytes / seconds(run) / 1e9;
    }
}
