package io.dedupstore.bench.index;

import io.dedupstore.core.io.ProcessEnd;
import io.dedupstore.core.kv.TableFiles;
import io.dedupstore.core.model.Fingerprint;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How long a start takes, and how long until the index is as fast as it was: after a process that
 * died with as much in its log as it ever has, and from a disk that is cold.
 */
final class StartSection {
    private static final double WARM_SHARE = 0.9;
    private static final double MAX_RESTART_SECONDS = 10;
    private static final int SAMPLE = 20_480;
    private static final long MOST_CHUNKS_TO_FLUSH = 4_000_000;
    private static final long MOST_WARMING_NANOS = 60_000_000_000L;

    private final RunningNode running;
    private final Report report;
    private final long entries;

    StartSection(RunningNode running, Report report, long entries) {
        this.running = running;
        this.report = report;
        this.entries = entries;
    }

    void run() throws IOException, InterruptedException {
        double warmRate = rate(new SplittableRandom(7));
        long filters = running.node().figures().filterBytes();
        cold("none", warmRate, filters, node -> {});
        cold(
                "filters",
                warmRate,
                filters,
                node -> node.files().readFilters(node.tables(), (done, total) -> true));
        cold(
                "all",
                warmRate,
                filters,
                node -> node.files().readAll(node.tables(), (done, total) -> true));
        restart();
    }

    private interface Preload {
        void of(BenchNode node);
    }

    private Report.Rows coldRows;

    private void cold(String preload, double warmRate, long filters, Preload preloading)
            throws IOException {
        if (coldRows == null) {
            coldRows =
                    report.table(
                            "start with cold files",
                            "preload",
                            "ready s",
                            "filters %",
                            "preload s",
                            "cached %",
                            "known/s",
                            "warm/s",
                            "90 % warm s");
        }
        running.node().drain();
        running.node().awaitCompaction();
        running.stop();
        PageCache.forget(PageCache.files(running.directory()));
        long start = System.nanoTime();
        running.start();
        double ready = secondsSince(start);
        BenchNode node = running.node();
        TableFiles.Figures figures = node.figures();
        long before = System.nanoTime();
        preloading.of(node);
        double took = secondsSince(before);
        long cached = PageCache.cachedBytes(running.indexFiles());
        SplittableRandom random = new SplittableRandom(11);
        double rate = rate(random);
        double first = rate;
        long end = System.nanoTime() + MOST_WARMING_NANOS;
        while (rate < WARM_SHARE * warmRate && System.nanoTime() < end) {
            rate = rate(random);
        }
        double warm = secondsSince(start);
        coldRows.row(
                preload,
                ready,
                Math.min(100.0, 100.0 * figures.filterBytes() / filters),
                took,
                100.0 * cached / figures.fileBytes(),
                first,
                warmRate,
                rate < WARM_SHARE * warmRate ? "not in 60" : (Object) warm);
        if (preload.equals("none")) {
            report.figure("start with cold files until filters are in memory", ready, "s");
        }
    }

    /** Known fingerprints that one client looks up in a second. */
    private double rate(SplittableRandom random) {
        long start = System.nanoTime();
        for (int done = 0; done < SAMPLE; done += Writers.WINDOW_CHUNKS) {
            List<Fingerprint> asked = new ArrayList<>(Writers.WINDOW_CHUNKS);
            for (int i = 0; i < Writers.WINDOW_CHUNKS; i++) {
                asked.add(Chunks.fingerprint(random.nextLong(entries)));
            }
            running.node().index().lookup(asked);
        }
        return SAMPLE / secondsSince(start);
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / 1e9;
    }

    /** Processes of their own: one that dies, and one that starts after it. */
    private void restart() throws IOException, InterruptedException {
        running.node().drain();
        running.node().awaitCompaction();
        running.stop();
        Report.Rows rows =
                report.table(
                        "start of a process after one that was killed",
                        "files",
                        "to replay",
                        "process s",
                        "ready s");
        Child crashed = Child.run(running.directory(), Child.CRASH, entries + (1L << 40));
        Child clean = Child.run(running.directory(), Child.START, 0);
        rows.row("warm", crashed.number(), clean.seconds(), clean.ownSeconds());
        report.atMost(
                "process start to ready, replay included",
                clean.seconds(),
                "s",
                MAX_RESTART_SECONDS);
        Child again = Child.run(running.directory(), Child.CRASH, entries + (1L << 41));
        PageCache.forget(PageCache.files(running.directory()));
        Child cold = Child.run(running.directory(), Child.START, 0);
        rows.row("cold", again.number(), cold.seconds(), cold.ownSeconds());
        running.start();
        running.node().settle();
    }

    /**
     * A process of this class path and these options, and what it said: {@code ready}, a number,
     * and the seconds it took from main.
     *
     * @param seconds from before its start until it was ready
     */
    record Child(double seconds, long number, double ownSeconds) {
        static final String CRASH = "--child-crash";
        static final String START = "--child-start";
        static final String READY = "ready";

        static Child run(Path directory, String what, long first)
                throws IOException, InterruptedException {
            List<String> command = new ArrayList<>();
            command.add(ProcessHandle.current().info().command().orElse("java"));
            command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
            command.add("-cp");
            command.add(System.getProperty("java.class.path"));
            command.add(IndexBench.class.getName());
            command.add(what);
            command.add(directory.toString());
            command.add(Long.toString(first));
            long start = System.nanoTime();
            Process process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            try (BufferedReader said =
                    new BufferedReader(
                            new java.io.InputStreamReader(
                                    process.getInputStream(), StandardCharsets.UTF_8))) {
                String line = said.readLine();
                while (line != null && !line.startsWith(READY)) {
                    line = said.readLine();
                }
                double seconds = secondsSince(start);
                process.waitFor();
                if (line == null) {
                    throw new IllegalStateException(what + " ended with " + process.exitValue());
                }
                String[] words = line.split(" ");
                return new Child(seconds, Long.parseLong(words[1]), Double.parseDouble(words[2]));
            }
        }
    }

    /**
     * In the child that dies: a little before its memtables would be flushed again, as the chunks
     * between two flushes tell.
     */
    static void crash(Path directory, long first) throws IOException {
        long start = System.nanoTime();
        BenchNode node = new BenchNode(directory);
        Writers writers = new Writers(node, first, 8, Writers.WINDOW_CHUNKS);
        writeUntilFlush(node, writers);
        long flushed = writers.next();
        writeUntilFlush(node, writers);
        long cycle = writers.next() - flushed;
        flushed = writers.next();
        writers.writeUpTo(flushed + (long) (WARM_SHARE * cycle), () -> false);
        System.out.println(
                Child.READY + " " + (writers.next() - flushed) + " " + secondsSince(start));
        System.out.flush();
        ProcessEnd.now(0);
    }

    /** Until memtables become much smaller than they were. */
    private static void writeUntilFlush(BenchNode node, Writers writers) {
        long end = writers.next() + MOST_CHUNKS_TO_FLUSH;
        long largest = 0;
        long now = node.figures().memtableBytes();
        while (2 * now >= largest && writers.next() < end) {
            largest = Math.max(largest, now);
            writers.writeUpTo(writers.next() + 4L * Writers.OBJECT_CHUNKS, () -> false);
            now = node.figures().memtableBytes();
        }
    }

    /** In the child that starts. */
    static void start(Path directory) throws IOException {
        long start = System.nanoTime();
        try (BenchNode node = new BenchNode(directory)) {
            node.index().lookup(List.of(Chunks.fingerprint(0)));
            System.out.println(Child.READY + " 0 " + secondsSince(start));
            System.out.flush();
        }
    }

    static boolean isChild(String[] arguments) {
        return arguments.length == 3
                && (arguments[0].equals(Child.CRASH) || arguments[0].equals(Child.START))
                && Files.isDirectory(Path.of(arguments[1]));
    }
}
