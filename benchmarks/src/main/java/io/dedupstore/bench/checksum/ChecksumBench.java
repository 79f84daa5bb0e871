package io.dedupstore.bench.checksum;

import com.sun.nio.file.ExtendedOpenOption;
import io.dedupstore.bench.Flags;
import io.dedupstore.bench.Results;
import io.dedupstore.bench.Sample;
import io.dedupstore.core.checksum.AtRestChecksum;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * {@code dedup bench checksum}: what the checksum at rest costs on the way to and from a file.
 * Windows of 1 MiB, each of sixteen chunks with a checksum of their own, are written and at last
 * synced, then read and verified; buffered (reads come from the page cache) and direct. All
 * algorithms take turns in every round, so that what the disk does meets all.
 */
public final class ChecksumBench {
    private static final String USAGE =
            """
            Usage: dedup bench checksum [OPTIONS]

              --dir DIR     where the file goes, which is removed (default: a temporary directory)
              --mib N       length of the file (default 64)
              --rounds N    rounds of each algorithm (default 9)
              --json FILE   where the figures go (default checksum-bench.json)
            """;
    private static final int WINDOW_BYTES = 1 << 20;
    private static final int CHUNK_BYTES = 64 << 10;
    private static final int ALIGNMENT_BYTES = 4096;
    private static final double LEAST_SHARE_PERCENT = 1;

    /** How the file is opened, and what is done with it. */
    private enum Way {
        BUFFERED_WRITE(false, true),
        BUFFERED_READ(false, false),
        DIRECT_WRITE(true, true),
        DIRECT_READ(true, false);

        private final boolean direct;
        private final boolean writes;

        Way(boolean direct, boolean writes) {
            this.direct = direct;
            this.writes = writes;
        }

        String title() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** Of one way and algorithm. */
    private static final class Cell {
        private final Sample megabytesPerSecond = new Sample();
        private long checksumNanos;
        private long nanos;
    }

    private final Path file;
    private final int windows;
    private final ByteBuffer window =
            ByteBuffer.allocateDirect(WINDOW_BYTES + ALIGNMENT_BYTES)
                    .alignedSlice(ALIGNMENT_BYTES)
                    .limit(WINDOW_BYTES);
    private final ByteBuffer source;

    private ChecksumBench(Path file, int windows) {
        this.file = file;
        this.windows = windows;
        byte[] bytes = new byte[WINDOW_BYTES];
        new Random(1).nextBytes(bytes);
        window.duplicate().put(bytes);
        source = ByteBuffer.allocateDirect(WINDOW_BYTES).put(bytes).flip();
    }

    public static void main(String[] arguments) throws IOException {
        Flags flags =
                Flags.parse(arguments, USAGE, List.of("--dir", "--mib", "--rounds", "--json"));
        int mib = flags.number("--mib", 1 << 16, 64);
        int rounds = flags.number("--rounds", 1000, 9);
        Optional<String> given = flags.text("--dir");
        Path directory =
                given.isPresent() ? Path.of(given.get()) : Files.createTempDirectory("dedup-bench");
        Path file = directory.resolve("dedup-checksum-bench.tmp");
        try {
            Results results = new Results(System.out);
            results.setting("file", mib + " MiB in windows of 1 MiB, chunks of 64 KiB");
            results.setting("rounds", Integer.toString(rounds));
            new ChecksumBench(file, mib).run(rounds, results);
            results.write(Path.of(flags.text("--json").orElse("checksum-bench.json")));
        } finally {
            Files.deleteIfExists(file);
            if (given.isEmpty()) {
                Files.deleteIfExists(directory);
            }
        }
    }

    private void run(int rounds, Results results) throws IOException {
        List<Optional<AtRestChecksum>> algorithms = new ArrayList<>();
        algorithms.add(Optional.empty());
        for (AtRestChecksum checksum : AtRestChecksum.values()) {
            algorithms.add(Optional.of(checksum));
        }
        Results.Rows table =
                results.table(
                        "MB/s, and the checksum's share of the time",
                        "path",
                        "",
                        "checksum",
                        "average",
                        "minimum",
                        "maximum",
                        "deviation %",
                        "share %");
        Set<Way> left = EnumSet.allOf(Way.class);
        Map<Way, List<Cell>> cells = new EnumMap<>(Way.class);
        left.forEach(way -> cells.put(way, algorithms.stream().map(a -> new Cell()).toList()));
        for (int round = -1; round < rounds; round++) { // the first one only warms up
            for (int i = 0; i < algorithms.size(); i++) {
                int turn = Math.floorMod(round + i, algorithms.size());
                for (Way way : Set.copyOf(left).stream().sorted().toList()) {
                    Cell cell = round < 0 ? new Cell() : cells.get(way).get(turn);
                    if (!pass(way, algorithms.get(turn), cell)) {
                        left.remove(way);
                    }
                }
            }
        }
        for (Way way : Way.values()) {
            for (int i = 0; i < algorithms.size(); i++) {
                String name = algorithms.get(i).map(AtRestChecksum::format).orElse("none");
                if (left.contains(way)) {
                    row(table, way, name, cells.get(way).get(i));
                }
            }
            if (!left.contains(way)) {
                System.out.println(way.title() + ": this file system has no direct access");
            }
        }
    }

    private static void row(Results.Rows table, Way way, String name, Cell cell) {
        String[] title = way.title().split(" ");
        double share = 100.0 * cell.checksumNanos / cell.nanos;
        Sample rates = cell.megabytesPerSecond;
        table.row(
                title[0],
                title[1],
                name,
                rates.average(),
                rates.min(),
                rates.max(),
                rates.deviationPercent(),
                cell.checksumNanos == 0
                        ? "-"
                        : share >= LEAST_SHARE_PERCENT ? (Object) share : "under 1");
    }

    /** False where the file system has no direct access. */
    private boolean pass(Way way, Optional<AtRestChecksum> checksum, Cell cell) throws IOException {
        Set<OpenOption> options = new HashSet<>();
        options.add(way.writes ? StandardOpenOption.WRITE : StandardOpenOption.READ);
        if (way.writes) {
            options.add(StandardOpenOption.CREATE);
        }
        if (way.direct) {
            options.add(ExtendedOpenOption.DIRECT);
        }
        FileChannel channel;
        try {
            channel = FileChannel.open(file, options);
        } catch (IOException | UnsupportedOperationException e) {
            if (way.direct) {
                return false;
            }
            throw e;
        }
        try (channel) {
            long start = System.nanoTime();
            for (int i = 0; i < windows; i++) {
                if (way.writes) {
                    cell.checksumNanos += sum(checksum);
                    transfer(channel, true, (long) i * WINDOW_BYTES);
                } else {
                    transfer(channel, false, (long) i * WINDOW_BYTES);
                    cell.checksumNanos += sum(checksum);
                }
            }
            if (way.writes) {
                channel.force(false);
            }
            long nanos = System.nanoTime() - start;
            cell.nanos += nanos;
            cell.megabytesPerSecond.add(1000.0 * windows * WINDOW_BYTES / nanos);
        }
        if (!window.equals(source)) {
            throw new IOException("what was read from " + file + " is not what was written");
        }
        return true;
    }

    private void transfer(FileChannel channel, boolean writes, long offset) throws IOException {
        ByteBuffer bytes = window.duplicate();
        while (bytes.hasRemaining()) {
            long at = offset + bytes.position();
            int moved = writes ? channel.write(bytes, at) : channel.read(bytes, at);
            if (moved <= 0) {
                throw new IOException(file + " ends at byte " + at);
            }
        }
    }

    /** Nanoseconds that the chunks of one window take. */
    private long sum(Optional<AtRestChecksum> checksum) {
        if (checksum.isEmpty()) {
            return 0;
        }
        long start = System.nanoTime();
        for (int at = 0; at < WINDOW_BYTES; at += CHUNK_BYTES) {
            byte[] sum = checksum.get().of(window.slice(at, CHUNK_BYTES));
            if (sum.length != checksum.get().length()) {
                throw new IllegalStateException("a checksum of another length");
            }
        }
        return System.nanoTime() - start;
    }
}
