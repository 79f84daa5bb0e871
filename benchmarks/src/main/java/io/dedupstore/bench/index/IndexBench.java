package io.dedupstore.bench.index;

import io.dedupstore.core.io.ProcessEnd;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * {@code dedup bench index}: what the fingerprint index costs and how fast it is, from an empty
 * table to a large one. Runs on Linux, alone on its machine if its figures are to mean anything.
 */
public final class IndexBench {
    private static final int INTERRUPTED = 130;

    private final BenchOptions options;
    private final Report report = new Report(System.out);
    private final Path directory;

    private IndexBench(BenchOptions options, Path directory) {
        this.options = options;
        this.directory = directory;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (StartSection.isChild(arguments)) {
            child(arguments[0], Path.of(arguments[1]), Long.parseLong(arguments[2]));
            return;
        }
        if (List.of(arguments).stream().anyMatch(Set.of("-h", "--help")::contains)) {
            System.out.print(BenchOptions.USAGE);
            return;
        }
        BenchOptions options;
        try {
            options = BenchOptions.parse(List.of(arguments));
        } catch (BenchOptions.UsageException e) {
            System.err.println(e.getMessage());
            System.err.print(BenchOptions.USAGE);
            System.exit(2);
            return;
        }
        if (options.directory().isPresent()) {
            Path directory = options.directory().get();
            if (Files.exists(directory)) {
                System.err.println(directory + " exists");
                System.exit(2);
            }
            new IndexBench(options, Files.createDirectories(directory)).run();
            return;
        }
        Path directory = Files.createTempDirectory("dedup-index-bench");
        // Told to stop: the stores are in use.
        Thread stopped =
                new Thread(
                        () -> {
                            delete(directory);
                            ProcessEnd.now(INTERRUPTED);
                        });
        Runtime.getRuntime().addShutdownHook(stopped);
        try {
            new IndexBench(options, directory).run();
        } finally {
            Runtime.getRuntime().removeShutdownHook(stopped);
            delete(directory);
        }
    }

    private static void child(String what, Path directory, long first) throws IOException {
        if (what.equals(StartSection.Child.CRASH)) {
            StartSection.crash(directory, first);
        } else {
            StartSection.start(directory);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(
                            file -> {
                                try {
                                    Files.deleteIfExists(file);
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            });
        } catch (IOException | UncheckedIOException e) {
            System.err.println(directory + " could not be removed: " + e.getMessage());
        }
    }

    private void run() throws IOException, InterruptedException {
        long start = System.nanoTime();
        report.setting(
                "machine",
                "%d processors, heap %d MiB, Java %s"
                        .formatted(
                                Runtime.getRuntime().availableProcessors(),
                                Runtime.getRuntime().maxMemory() >> 20,
                                System.getProperty("java.version")));
        report.setting(
                "asked for",
                "%,d entries, %d clients".formatted(options.entries(), options.clients()));
        try (RunningNode running = new RunningNode(directory)) {
            measure(running);
        }
        report.note("");
        report.setting("took", Duration.ofNanos(System.nanoTime() - start).toSeconds() + " s");
        if (!report.missed().isEmpty()) {
            report.note("targets missed: " + String.join("; ", report.missed()));
        }
        report.write(options.json());
    }

    private void measure(RunningNode running) throws IOException, InterruptedException {
        long entries = new GrowthSection(running, options, report).run();
        long next = entries;
        if (wants(BenchOptions.Part.LOOKUP)) {
            new LookupSection(running, report, entries).run();
        }
        if (wants(BenchOptions.Part.SHARE)) {
            new ShareSection(running, options, report).run();
        }
        if (wants(BenchOptions.Part.START)) {
            new StartSection(running, report, entries).run();
        }
        if (wants(BenchOptions.Part.CLAIM)) {
            next = new ClaimSection(running, options, report).run(next);
        }
        if (wants(BenchOptions.Part.LOAD)) {
            new LoadSection(running.node(), report, next).run(entries);
        }
    }

    private boolean wants(BenchOptions.Part part) {
        return options.parts().contains(part);
    }
}
