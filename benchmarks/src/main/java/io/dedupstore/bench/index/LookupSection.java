package io.dedupstore.bench.index;

import io.dedupstore.core.kv.StoreWork;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.Fingerprint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * What it costs to ask for fingerprints that are there, and for ones that are not, in windows, by
 * one client. Cold means: right after a start, with nothing of the tables in the page cache.
 *
 * <p>A disk read is a block of rows that was not in the store's cache. Filters and table indexes
 * are in memory since the store was opened.
 */
final class LookupSection {
    private static final int COLD_LOOKUPS = 20_480;
    private static final int WARM_LOOKUPS = 512_000;
    private static final double MAX_FALSE_POSITIVE_PERCENT = 1;
    private static final double MAX_READS_OF_KNOWN = 1.01;

    private final RunningNode running;
    private final Report report;
    private final long entries;
    private final SplittableRandom random = new SplittableRandom(3);
    private Report.Rows rows;

    LookupSection(RunningNode running, Report report, long entries) {
        this.running = running;
        this.report = report;
        this.entries = entries;
    }

    private record Result(double readsEach, double falsePositivePercent) {}

    void run() throws IOException {
        rows =
                report.table(
                        "lookups in windows of " + Writers.WINDOW_CHUNKS,
                        "asked",
                        "lookups",
                        "lookups/s",
                        "CPU us each",
                        "window p50 ms",
                        "window p99 ms",
                        "reads each",
                        "false pos %",
                        "device B each");
        running.restartCold();
        Result coldNew = measure("new, cold", false, COLD_LOOKUPS);
        running.restartCold();
        Result coldKnown = measure("known, cold", true, COLD_LOOKUPS);
        Result warmNew = measure("new, warm", false, WARM_LOOKUPS);
        Result warmKnown = measure("known, warm", true, WARM_LOOKUPS);
        report.atMost(
                "disk reads per lookup of a new fingerprint",
                Math.max(coldNew.readsEach(), warmNew.readsEach()),
                "",
                MAX_FALSE_POSITIVE_PERCENT / 100);
        report.atMost(
                "new fingerprints that a filter lets through to a file",
                warmNew.falsePositivePercent(),
                "%",
                MAX_FALSE_POSITIVE_PERCENT);
        report.atMost(
                "disk reads per lookup of a known fingerprint, cold",
                coldKnown.readsEach(),
                "",
                MAX_READS_OF_KNOWN);
        report.figure(
                "disk reads per lookup of a known fingerprint, warm", warmKnown.readsEach(), "");
    }

    private Result measure(String name, boolean known, int lookups) {
        BenchNode node = running.node();
        Latencies windows = new Latencies();
        StoreWork work = node.storeWork();
        Counters before = running.counters();
        for (int done = 0; done < lookups; done += Writers.WINDOW_CHUNKS) {
            List<Fingerprint> asked = window(known);
            long start = System.nanoTime();
            List<Optional<ChunkAddress>> found = node.index().lookup(asked);
            windows.add(System.nanoTime() - start);
            if (!found.stream().allMatch(address -> address.isPresent() == known)) {
                throw new IllegalStateException("a lookup found what is not there, or not what is");
            }
        }
        Counters used = running.counters().since(before);
        StoreWork did = node.storeWork().since(work);
        double wrong = did.filterPassed() - did.filterRight();
        Result result = new Result((double) did.blockReads() / lookups, 100 * wrong / lookups);
        rows.row(
                name,
                lookups,
                lookups / used.seconds(),
                used.cpuSeconds() * 1e6 / lookups,
                windows.millis(0.5),
                windows.millis(0.99),
                result.readsEach(),
                result.falsePositivePercent(),
                (double) used.readBytes() / lookups);
        return result;
    }

    private List<Fingerprint> window(boolean known) {
        List<Fingerprint> asked = new ArrayList<>(Writers.WINDOW_CHUNKS);
        for (int i = 0; i < Writers.WINDOW_CHUNKS; i++) {
            asked.add(
                    known
                            ? Chunks.fingerprint(random.nextLong(entries))
                            : Chunks.unknown(random.nextLong(Long.MAX_VALUE >>> 8)));
        }
        return asked;
    }
}
