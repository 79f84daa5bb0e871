package io.dedupstore.bench.index;

import io.dedupstore.core.kv.StoreWork;
import io.dedupstore.core.kv.TableFiles;

/**
 * The table of the ZFS paper: records of 8 KiB that are all unique, in batches, everything in files
 * after each batch; what the index device is written per user byte, and what each batch's
 * throughput is, as the table grows.
 *
 * <p>Bytes are what this process handed to write calls, and nothing here writes but the index and
 * its log. How they divide is said from RocksDB's own counts; the rest is the log, with the zeros
 * that its files are made of in advance. What the device took meanwhile stands beside it; it
 * includes whatever else the machine wrote.
 */
final class GrowthSection {
    private static final int BATCHES = 20;
    private static final double MAX_INFLATION_PERCENT = 5;
    private static final double MIN_SHARE_OF_FIRST_PERCENT = 90;
    private static final double MAX_ENTRY_BYTES = 70;
    private static final double MAX_MEMORY_BYTES = 2;

    private final RunningNode running;
    private final BenchNode node;
    private final BenchOptions options;
    private final Report report;
    private double first;
    private double last;

    GrowthSection(RunningNode running, BenchOptions options, Report report) {
        this.running = running;
        this.node = running.node();
        this.options = options;
        this.report = report;
    }

    /** Returns the number of entries there are now. */
    long run() {
        long batch = Math.max(Writers.OBJECT_CHUNKS, options.entries() / BATCHES);
        long deadline = System.nanoTime() + options.minutes() * 60_000_000_000L;
        Report.Rows rows =
                report.table(
                        "all unique, 8 KiB records, log drained after each batch",
                        "entries",
                        "entries/s",
                        "MB/s of user",
                        "CPU us/entry",
                        "claim p99 ms",
                        "log B/entry",
                        "flush B/e",
                        "compact B/e",
                        "written % now",
                        "written % all",
                        "device % all",
                        "file B/entry");
        Counters start = running.counters();
        Counters before = start;
        StoreWork workBefore = node.storeWork();
        long entries = 0;
        while (entries < options.entries() && System.nanoTime() < deadline) {
            Writers writers = new Writers(node, entries, options.clients(), Writers.WINDOW_CHUNKS);
            writers.writeUpTo(
                    Math.min(options.entries(), entries + batch),
                    () -> System.nanoTime() > deadline);
            node.drain();
            Counters now = running.counters();
            StoreWork workNow = node.storeWork();
            long added = writers.next() - entries;
            entries = writers.next();
            row(
                    rows,
                    entries,
                    added,
                    now.since(before),
                    workNow.since(workBefore),
                    now.since(start),
                    writers.claims());
            before = now;
            workBefore = workNow;
        }
        conclude(entries, start);
        return entries;
    }

    private void row(
            Report.Rows rows,
            long entries,
            long added,
            Counters batch,
            StoreWork work,
            Counters all,
            Latencies claims) {
        double rate = added / batch.seconds();
        if (first == 0) {
            first = rate;
        }
        last = rate;
        double log = batch.writtenBytes() - work.flushedBytes() - work.compactedBytes();
        rows.row(
                entries,
                rate,
                rate * Chunks.BYTES / 1e6,
                batch.cpuSeconds() * 1e6 / added,
                claims.millis(0.99),
                log / added,
                (double) work.flushedBytes() / added,
                (double) work.compactedBytes() / added,
                percentOfUser(batch.writtenBytes(), added),
                percentOfUser(all.writtenBytes(), entries),
                percentOfUser(all.deviceWrittenBytes(), entries),
                (double) node.figures().fileBytes() / entries);
    }

    private static double percentOfUser(long bytes, long entries) {
        return 100.0 * bytes / entries / Chunks.BYTES;
    }

    private void conclude(long entries, Counters start) {
        node.awaitCompaction();
        Counters all = running.counters().since(start);
        TableFiles.Figures figures = node.figures();
        if (entries < options.entries()) {
            report.note("The time was over at %,d entries.".formatted(entries));
        }
        report.figure("entries reached", entries, "");
        report.figure(
                "bytes the device took per user byte, whoever wrote them",
                percentOfUser(all.deviceWrittenBytes(), entries),
                "%");
        report.atMost(
                "bytes written to the index device per user byte, compaction finished",
                percentOfUser(all.writtenBytes(), entries),
                "%",
                MAX_INFLATION_PERCENT);
        report.atLeast(
                "throughput of the last batch against the first",
                100 * last / first,
                "%",
                MIN_SHARE_OF_FIRST_PERCENT);
        report.atMost(
                "bytes in files per entry, all tables",
                (double) figures.fileBytes() / entries,
                "B",
                MAX_ENTRY_BYTES);
        report.atMost(
                "memory of filters and table indexes per entry",
                (double) figures.filterBytes() / entries,
                "B",
                MAX_MEMORY_BYTES);
        if (!node.shard().statistics().audit().balanced()) {
            throw new IllegalStateException("the books of the shard are not balanced");
        }
    }
}
