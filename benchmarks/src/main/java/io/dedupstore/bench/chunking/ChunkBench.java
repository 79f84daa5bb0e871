package io.dedupstore.bench.chunking;

import io.dedupstore.bench.workload.Json;
import io.dedupstore.core.chunking.Chunker;
import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.chunking.GearTable;
import io.dedupstore.core.jni.NativeLibrary;
import io.dedupstore.core.jni.NativeSha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code ./dedup bench chunk}: rate of each chunking driver, and what their cuts find again.
 *
 * <p>Drivers take turns, round after round, and the best time of each window of 4 MiB counts, so
 * that other work on the machine disturbs them little and alike. The data is larger than the caches
 * of a core. All must give the same cuts, or the benchmark fails.
 */
public final class ChunkBench {
    private static final String USAGE =
            """
            Usage: dedup bench chunk [OPTIONS]

              --megabytes N  of each kind of data (default 64)
              --rounds N     of which the best of each window counts (default 15)
              --specs A,B    content-defined chunkings (default cdc:8k,cdc:64k)
              --json FILE    where the figures go (default chunk-bench.json)

            Without the native library it fails, rather than measure something else.
            """;
    private static final int EXIT_FAILED = 1;
    private static final int EXIT_USAGE = 2;
    private static final int MAX_MEGABYTES = 1024;
    private static final int MAX_ROUNDS = 1000;

    private final GearTable table = GearTable.derive(new byte[32]);
    private final Tiles tiles = new Tiles();
    private final List<Result> results = new ArrayList<>();
    private int megabytes = 64;
    private int rounds = 15;
    private List<String> specs = List.of("cdc:8k", "cdc:64k");
    private Path json = Path.of("chunk-bench.json");

    /**
     * One driver on one kind of data.
     *
     * @param hashed rate of cutting and SHA-256 together
     */
    private record Result(
            String data, String spec, String driver, double rate, double hashed, Found found) {}

    /** What the cuts come to. */
    private record Found(long chunks, double meanBytes, double dedupRatio) {}

    private ChunkBench() {}

    public static void main(String[] args) throws IOException {
        ChunkBench bench = new ChunkBench();
        try {
            if (args.length > 0 && (args[0].equals("-h") || args[0].equals("--help"))) {
                System.out.print(USAGE);
                return;
            }
            bench.parse(List.of(args));
        } catch (IllegalArgumentException e) {
            System.err.println("dedup bench chunk: " + e.getMessage() + "; see --help");
            System.exit(EXIT_USAGE);
        }
        if (!NativeLibrary.available()) {
            System.err.println("dedup bench chunk: " + NativeLibrary.problem().orElse(""));
            System.exit(EXIT_FAILED);
        }
        bench.run();
    }

    private void parse(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i += 2) {
            String name = arguments.get(i);
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException(name + " needs a value");
            }
            String value = arguments.get(i + 1);
            switch (name) {
                case "--megabytes" -> megabytes = number(name, value, MAX_MEGABYTES);
                case "--rounds" -> rounds = number(name, value, MAX_ROUNDS);
                case "--specs" -> specs = List.of(value.split(",", -1));
                case "--json" -> json = Path.of(value);
                default -> throw new IllegalArgumentException("unknown option " + name);
            }
        }
        specs.forEach(ChunkBench::cdc);
    }

    private static int number(String name, String value, int most) {
        if (!value.matches("[1-9][0-9]{0,8}") || Integer.parseInt(value) > most) {
            throw new IllegalArgumentException(name + " takes 1 to " + most + ", not " + value);
        }
        return Integer.parseInt(value);
    }

    private static ChunkingSpec.Cdc cdc(String text) {
        return switch (ChunkingSpec.parse(text)) {
            case ChunkingSpec.Cdc cdc -> cdc;
            case ChunkingSpec.Fixed _ ->
                    throw new IllegalArgumentException(text + " is not content-defined");
        };
    }

    private void run() throws IOException {
        String limit = NativeLibrary.cpuLimit();
        System.out.printf(
                Locale.ROOT,
                "%d MB of each; SHA-256: %s%s%n",
                megabytes,
                NativeLibrary.sha256Driver(),
                limit.isEmpty() ? "" : "; processor limited to " + limit);
        for (ChunkData data : ChunkData.all(megabytes << 20)) {
            for (String spec : specs) {
                measure(data, cdc(spec));
            }
        }
        Files.writeString(json, Json.of(figures()) + "\n");
        System.out.println("figures in " + json);
    }

    private void measure(ChunkData data, ChunkingSpec.Cdc spec) {
        List<Chunker> drivers = Chunker.drivers(spec, table);
        Found found = found(data, drivers);
        Map<Chunker, Tiles.Times> cut = new HashMap<>();
        Map<Chunker, Tiles.Times> hashed = new HashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (Chunker driver : drivers) {
                tiles.cut(data, driver, times(cut, driver));
                tiles.cutAndHash(data, driver, times(hashed, driver));
            }
        }
        for (Chunker driver : drivers) {
            results.add(
                    new Result(
                            data.name(),
                            spec.format(),
                            driver.driverName(),
                            rate(data, times(cut, driver)),
                            rate(data, times(hashed, driver)),
                            found));
        }
        print(results.subList(results.size() - drivers.size(), results.size()));
    }

    private static Tiles.Times times(Map<Chunker, Tiles.Times> times, Chunker driver) {
        return times.computeIfAbsent(driver, key -> new Tiles.Times());
    }

    /** GB/s. */
    private static double rate(ChunkData data, Tiles.Times times) {
        return (double) data.bytes() / times.nanos();
    }

    private Found found(ChunkData data, List<Chunker> drivers) {
        List<ByteBuffer> chunks = tiles.chunks(data, drivers.getFirst());
        for (Chunker driver : drivers) {
            if (!tiles.chunks(data, driver).equals(chunks)) {
                throw new IllegalStateException(driver.driverName() + " cuts otherwise");
            }
        }
        byte[] digests = tiles.sha256(chunks);
        Map<ByteBuffer, Integer> distinct = new HashMap<>();
        for (int i = 0; i < chunks.size(); i++) {
            ByteBuffer digest =
                    ByteBuffer.wrap(digests, i * NativeSha256.LENGTH, NativeSha256.LENGTH);
            distinct.put(digest, chunks.get(i).remaining());
        }
        long distinctBytes = distinct.values().stream().mapToLong(Integer::longValue).sum();
        return new Found(
                chunks.size(),
                (double) data.bytes() / chunks.size(),
                (double) data.bytes() / distinctBytes);
    }

    private static double scalarRate(List<Result> rows) {
        return rows.stream()
                .filter(row -> row.driver().equals("scalar"))
                .findAny()
                .orElseThrow()
                .rate();
    }

    private static void print(List<Result> rows) {
        Result first = rows.getFirst();
        System.out.printf(
                Locale.ROOT,
                "%n%s, %s: %,d chunks of %,.0f bytes, dedup ratio %.3f%n%-10s %8s %12s %16s%n",
                first.data(),
                first.spec(),
                first.found().chunks(),
                first.found().meanBytes(),
                first.found().dedupRatio(),
                "driver",
                "GB/s",
                "to scalar",
                "with SHA-256");
        double scalar = scalarRate(rows);
        for (Result row : rows) {
            System.out.printf(
                    Locale.ROOT,
                    "%-10s %8.2f %12.2f %16.2f%n",
                    row.driver(),
                    row.rate(),
                    row.rate() / scalar,
                    row.hashed());
        }
        System.out.flush();
    }

    private Map<String, Object> figures() {
        List<Object> rows = new ArrayList<>();
        for (Result row : results) {
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("data", row.data());
            figures.put("chunking", row.spec());
            figures.put("driver", row.driver());
            figures.put("gigabytesPerSecond", row.rate());
            figures.put("withSha256GigabytesPerSecond", row.hashed());
            figures.put("chunks", row.found().chunks());
            figures.put("meanChunkBytes", row.found().meanBytes());
            figures.put("dedupRatio", row.found().dedupRatio());
            rows.add(figures);
        }
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("megabytes", megabytes);
        figures.put("rounds", rounds);
        figures.put("cpuLimit", NativeLibrary.cpuLimit());
        figures.put("sha256", NativeLibrary.sha256Driver());
        figures.put("results", rows);
        return figures;
    }
}
