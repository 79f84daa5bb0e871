package io.dedupstore.bench.s3;

import io.dedupstore.core.sigv4.SigV4Signer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * What deleting many references at once does to small writes: latencies of PUTs at a steady rate
 * while large objects are deleted and while they are not, and the memory of the server's stores.
 * The objects are deleted in rounds, each between two quiet windows, so that what else the machine
 * does falls on both.
 *
 * <p>{@code MassDelete endpoint=… access=… secret=… admin=http://127.0.0.1:9001 token=…
 * [references=1048576] [rounds=4] [rate=100] [clients=8] [bytes=16384] [seconds=20] [most=300]
 * [seed=1]}. Large objects have 65,536 chunks of 4 KiB, the same in each, so an object more is
 * 65,536 references more. The rate is of all clients together; a request that begins late counts
 * from when it should have begun.
 */
public final class MassDelete {
    private static final int CHUNK_BYTES = 4096;
    private static final int CHUNKS = 65_536;
    private static final String REFERENCES = "dedup_index_references";
    private static final String LARGE = "mass-large";
    private static final String SMALL = "mass-small";

    private final Map<String, String> arguments = new TreeMap<>();
    private final SigV4Signer signer;
    private final URI endpoint;
    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicLong names = new AtomicLong();
    private final long seed;
    private long peakStores;
    private long peakHeap;

    private MassDelete(String[] args) {
        for (String arg : args) {
            String[] pair = arg.split("=", 2);
            arguments.put(pair[0], pair.length == 2 ? pair[1] : "");
        }
        this.endpoint = URI.create(required("endpoint"));
        this.signer = new SigV4Signer(required("access"), required("secret"), "us-east-1");
        this.seed = number("seed", 1);
    }

    public static void main(String[] args) throws Exception {
        new MassDelete(args).run();
    }

    private void run() throws Exception {
        int objects = Math.ceilDiv(number("references", 1 << 20), CHUNKS);
        int seconds = number("seconds", 30);
        makeBucket(LARGE, "fixed:4k");
        makeBucket(SMALL, "cdc");
        System.out.printf(
                Locale.ROOT,
                "%d references in %d objects, %d PUTs a second of %d bytes, seed %d%n",
                (long) objects * CHUNKS,
                objects,
                number("rate", 100),
                number("bytes", 16 << 10),
                seed);
        long start = System.nanoTime();
        writeLarge(objects);
        System.out.printf(Locale.ROOT, "written in %.0f s%n", secondsSince(start));
        System.out.printf(
                "%-14s %8s %8s %9s %9s %9s %9s%n",
                "phase", "s", "PUTs", "p50 ms", "p99 ms", "p99.9 ms", "max ms");
        phase("warm up", () -> sleep(seconds));
        int rounds = Math.min(objects, number("rounds", 4));
        List<long[]> beside = new ArrayList<>();
        List<long[]> quiet = new ArrayList<>();
        quiet.add(phase("quiet", () -> sleep(seconds)));
        for (int round = 0; round < rounds; round++) {
            int from = objects * round / rounds;
            int to = objects * (round + 1) / rounds;
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(number("most", 300));
            beside.add(phase("deleting", () -> delete(from, to, end)));
            quiet.add(phase("quiet", () -> sleep(seconds)));
        }
        long[] deleting = sorted(beside);
        long[] calm = sorted(quiet);
        print("all deleting", deleting, 0);
        print("all quiet", calm, 0);
        System.out.printf(
                Locale.ROOT,
                "p99 while deleting is %.2f times the p99 beside it; stores took %d MiB at most,"
                        + " the heap %d MiB%n",
                (double) at(deleting, 0.99) / at(calm, 0.99),
                peakStores >> 20,
                peakHeap >> 20);
        System.exit(0);
    }

    private static long[] sorted(List<long[]> parts) {
        return parts.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    }

    private void makeBucket(String name, String chunking) throws IOException, InterruptedException {
        String body =
                "{\"name\":\"%s\",\"chunking\":\"%s\",\"compression\":\"off\"}"
                        .formatted(name, chunking);
        HttpResponse<String> made =
                http.send(
                        admin("/v1/buckets")
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        if (made.statusCode() / 100 != 2 && made.statusCode() != 409) {
            throw new IOException("bucket " + name + ": " + made.body());
        }
    }

    private HttpRequest.Builder admin(String path) {
        return HttpRequest.newBuilder(URI.create(required("admin")).resolve(path))
                .header("Authorization", "Bearer " + required("token"));
    }

    /** The sum of a metric's samples whose line begins like this. */
    private double metric(String prefix) throws IOException, InterruptedException {
        String text =
                http.send(admin("/metrics").build(), HttpResponse.BodyHandlers.ofString()).body();
        return text.lines()
                .filter(line -> line.startsWith(prefix))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private void writeLarge(int objects) throws IOException {
        byte[] content = data(seed, CHUNKS * CHUNK_BYTES);
        try (S3Connection connection = new S3Connection(endpoint, signer)) {
            for (int i = 0; i < objects; i++) {
                connection.send("PUT", "/" + LARGE + "/" + i, content, 200);
            }
        }
    }

    /** Something that goes on while latencies are taken. */
    private interface Meanwhile {
        void run() throws Exception;
    }

    private void sleep(int seconds) throws InterruptedException {
        TimeUnit.SECONDS.sleep(seconds);
    }

    /** Returns when the references have gone from the index and nothing waits to be collected. */
    private void delete(int from, int to, long endNanos) throws Exception {
        double before = metric(REFERENCES);
        try (S3Connection connection = new S3Connection(endpoint, signer)) {
            for (int i = from; i < to; i++) {
                connection.send("DELETE", "/" + LARGE + "/" + i, new byte[0], 204);
            }
        }
        boolean gone = false;
        while (!gone && System.nanoTime() < endNanos) {
            TimeUnit.MILLISECONDS.sleep(250);
            peakStores = Math.max(peakStores, (long) metric("dedup_store_cache_bytes"));
            peakHeap = Math.max(peakHeap, (long) metric("jvm_heap_used_bytes"));
            // Small objects add some meanwhile.
            gone = metric(REFERENCES) < before - 0.95 * (to - from) * CHUNKS;
            gone &= metric("dedup_index_zombies") < 1;
        }
        if (!gone) {
            System.out.println("not all released in time");
        }
    }

    private long[] phase(String name, Meanwhile meanwhile) throws Exception {
        int clients = number("clients", 8);
        long interval = TimeUnit.SECONDS.toNanos(clients) / number("rate", 100);
        AtomicBoolean stop = new AtomicBoolean();
        List<Long> latencies = new ArrayList<>();
        long start = System.nanoTime();
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            List<Future<List<Long>>> results = new ArrayList<>();
            for (int c = 0; c < clients; c++) {
                long first = start + c * interval / clients;
                results.add(threads.submit(() -> client(stop, first, interval)));
            }
            meanwhile.run();
            stop.set(true);
            for (Future<List<Long>> result : results) {
                latencies.addAll(result.get());
            }
        }
        long[] sorted = latencies.stream().mapToLong(Long::longValue).sorted().toArray();
        print(name, sorted, secondsSince(start));
        return sorted;
    }

    private static void print(String name, long[] sorted, double wall) {
        System.out.printf(
                Locale.ROOT,
                "%-14s %8.0f %8d %9.2f %9.2f %9.2f %9.1f%n",
                name,
                wall,
                sorted.length,
                at(sorted, 0.5) / 1e6,
                at(sorted, 0.99) / 1e6,
                at(sorted, 0.999) / 1e6,
                sorted[sorted.length - 1] / 1e6);
    }

    private static long at(long[] sorted, double share) {
        return sorted[Math.min(sorted.length - 1, (int) (sorted.length * share))];
    }

    private List<Long> client(AtomicBoolean stop, long first, long interval) throws IOException {
        List<Long> latencies = new ArrayList<>();
        long due = first;
        try (S3Connection connection = new S3Connection(endpoint, signer)) {
            while (!stop.get()) {
                long name = names.getAndIncrement();
                byte[] body = data(seed + name + 1, number("bytes", 16 << 10));
                while (System.nanoTime() < due) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                connection.send("PUT", "/" + SMALL + "/" + name % 100_000, body, 200);
                latencies.add(System.nanoTime() - due);
                due += interval;
            }
        }
        return latencies;
    }

    private static byte[] data(long seed, int length) {
        SplittableRandom random = new SplittableRandom(seed);
        ByteBuffer data = ByteBuffer.allocate((length + 7) / 8 * 8);
        while (data.hasRemaining()) {
            data.putLong(random.nextLong());
        }
        return Arrays.copyOf(data.array(), length);
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / 1e9;
    }

    private String required(String name) {
        String value = arguments.get(name);
        if (value == null) {
            throw new IllegalArgumentException("missing argument " + name + "=…");
        }
        return value;
    }

    private int number(String name, int byDefault) {
        String value = arguments.get(name);
        return value == null ? byDefault : Integer.parseInt(value);
    }
}
