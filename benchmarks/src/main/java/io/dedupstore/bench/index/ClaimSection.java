package io.dedupstore.bench.index;

/** Claims of new chunks for windows of several sizes: the more in one message, the cheaper each. */
final class ClaimSection {
    private static final int[] WINDOWS = {1, 8, 64, 256, 512};
    private static final long NANOS = 4_000_000_000L;

    private final RunningNode running;
    private final BenchOptions options;
    private final Report report;

    ClaimSection(RunningNode running, BenchOptions options, Report report) {
        this.running = running;
        this.options = options;
        this.report = report;
    }

    /** Returns the number of entries there are now. */
    long run(long entries) {
        Report.Rows rows =
                report.table(
                        "claims of new chunks, with their lookups, by "
                                + options.clients()
                                + " clients",
                        "window",
                        "claims/s",
                        "per CPU s",
                        "p50 ms",
                        "p99 ms",
                        "written B each");
        long next = entries;
        for (int window : WINDOWS) {
            Writers writers = new Writers(running.node(), next, options.clients(), window);
            Counters before = running.counters();
            long end = System.nanoTime() + NANOS;
            writers.writeUpTo(Long.MAX_VALUE, () -> System.nanoTime() > end);
            running.node().settle();
            Counters used = running.counters().since(before);
            double claimed = writers.next() - next;
            rows.row(
                    window,
                    claimed / used.seconds(),
                    claimed / used.cpuSeconds(),
                    writers.claims().millis(0.5),
                    writers.claims().millis(0.99),
                    used.writtenBytes() / claimed);
            next = writers.next();
        }
        return next;
    }
}
