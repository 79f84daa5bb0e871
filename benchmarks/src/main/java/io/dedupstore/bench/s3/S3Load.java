package io.dedupstore.bench.s3;

import io.dedupstore.core.sigv4.SigV4Signer;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
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
import java.util.concurrent.atomic.AtomicInteger;

/**
 * PUT of new data, PUT of the same data again, GET: wall time, server CPU seconds per GB and
 * latencies.
 *
 * <p>{@code S3Load endpoint=http://127.0.0.1:9000 access=… secret=… pid=… [clients=8]
 * [bytes=8388608] [objects=128] [warmup=32] [bucket=load]}. The server's CPU is user and system
 * time of {@code pid} from /proc, so both run on one Linux machine.
 */
public final class S3Load {
    private static final double CLOCK_TICKS_PER_SECOND = 100;

    private final Map<String, String> arguments = new TreeMap<>();
    private final SigV4Signer signer;
    private final URI endpoint;
    private final String bucket;
    private final int clients;
    private final int objectBytes;

    private S3Load(String[] args) {
        for (String arg : args) {
            String[] pair = arg.split("=", 2);
            arguments.put(pair[0], pair.length == 2 ? pair[1] : "");
        }
        this.endpoint = URI.create(required("endpoint"));
        this.signer = new SigV4Signer(required("access"), required("secret"), "us-east-1");
        this.bucket = arguments.getOrDefault("bucket", "load");
        this.clients = number("clients", 8);
        this.objectBytes = number("bytes", 8 << 20);
    }

    public static void main(String[] args) throws Exception {
        new S3Load(args).run();
    }

    private void run() throws Exception {
        int objects = number("objects", 128);
        int warmup = number("warmup", 32);
        long seed = number("seed", 1);
        try (S3Connection connection = new S3Connection(endpoint, signer)) {
            connection.send("PUT", "/" + bucket, new byte[0], 200);
        }
        System.out.printf(
                Locale.ROOT,
                "%d objects of %d bytes, %d clients, seed %d, after %d to warm up%n",
                objects,
                objectBytes,
                clients,
                seed,
                warmup);
        System.out.printf(
                "%-10s %10s %12s %12s %10s %10s%n",
                "phase", "wall s", "MB/s", "CPU s/GB", "p50 ms", "p99 ms");
        phase("warm put", warmup, i -> "/" + bucket + "/w" + i, i -> data(-seed - i), true);
        phase("warm get", warmup, i -> "/" + bucket + "/w" + i, i -> data(-seed - i), false);
        phase(
                "PUT new",
                objects,
                i -> "/" + bucket + "/a" + i,
                i -> data(seed * 1_000_003 + i),
                true);
        phase(
                "PUT again",
                objects,
                i -> "/" + bucket + "/b" + i,
                i -> data(seed * 1_000_003 + i),
                true);
        phase("GET", objects, i -> "/" + bucket + "/a" + i, i -> new byte[0], false);
    }

    private interface ByIndex<T> {
        T of(int index);
    }

    private void phase(
            String name, int count, ByIndex<String> target, ByIndex<byte[]> body, boolean put)
            throws Exception {
        AtomicInteger next = new AtomicInteger();
        long cpu = cpuTicks();
        long start = System.nanoTime();
        List<Long> latencies = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            List<Future<List<Long>>> results = new ArrayList<>();
            for (int c = 0; c < clients; c++) {
                results.add(threads.submit(() -> client(count, next, target, body, put)));
            }
            for (Future<List<Long>> result : results) {
                latencies.addAll(result.get());
            }
        }
        double wall = (System.nanoTime() - start) / 1e9;
        double gigabytes = (double) count * objectBytes / 1e9;
        double cpuSeconds = (cpuTicks() - cpu) / CLOCK_TICKS_PER_SECOND;
        long[] sorted = latencies.stream().mapToLong(Long::longValue).sorted().toArray();
        System.out.printf(
                Locale.ROOT,
                "%-10s %10.2f %12.1f %12.3f %10.1f %10.1f%n",
                name,
                wall,
                gigabytes * 1000 / wall,
                cpuSeconds / gigabytes,
                sorted[sorted.length / 2] / 1e6,
                sorted[(int) (sorted.length * 0.99)] / 1e6);
    }

    private List<Long> client(
            int count,
            AtomicInteger next,
            ByIndex<String> target,
            ByIndex<byte[]> body,
            boolean put)
            throws IOException {
        List<Long> latencies = new ArrayList<>();
        try (S3Connection connection = new S3Connection(endpoint, signer)) {
            for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                byte[] bytes = put ? body.of(i) : new byte[0];
                long start = System.nanoTime();
                long got = connection.send(put ? "PUT" : "GET", target.of(i), bytes, 200);
                latencies.add(System.nanoTime() - start);
                if (!put && got != objectBytes) {
                    throw new IOException("got " + got + " bytes of " + target.of(i));
                }
            }
        }
        return latencies;
    }

    private byte[] data(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ByteBuffer data = ByteBuffer.allocate((objectBytes + 7) / 8 * 8);
        while (data.hasRemaining()) {
            data.putLong(random.nextLong());
        }
        return Arrays.copyOf(data.array(), objectBytes);
    }

    private long cpuTicks() throws IOException {
        String stat = Files.readString(Path.of("/proc/" + required("pid") + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
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
