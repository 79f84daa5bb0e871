package io.dedupstore.bench.s3;

import io.dedupstore.core.sigv4.SigV4Signer;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Listing of one large bucket: keys per second and latencies of pages, without a delimiter, with
 * one that finds a prefix for every hundred keys, and with one that finds few.
 *
 * <p>{@code S3List endpoint=http://127.0.0.1:9000 access=… secret=… [keys=1000000] [clients=64]
 * [bucket=listing] [fill=true]}. Keys are {@code DD/DDDD/NNNNNNNN}; a bucket that was filled once
 * can be listed again with {@code fill=false}.
 */
public final class S3List {
    private static final int KEYS_OF_A_DIRECTORY = 100;
    private static final int DIRECTORIES_OF_A_TREE = 1000;
    private static final Pattern NEXT =
            Pattern.compile("<NextContinuationToken>([^<]*)</NextContinuationToken>");
    private static final Pattern COUNT = Pattern.compile("<KeyCount>([0-9]+)</KeyCount>");

    private final Map<String, String> arguments = new TreeMap<>();
    private final SigV4Signer signer;
    private final URI endpoint;
    private final String bucket;
    private final int keys;

    private S3List(String[] args) {
        for (String arg : args) {
            String[] pair = arg.split("=", 2);
            arguments.put(pair[0], pair.length == 2 ? pair[1] : "");
        }
        this.endpoint = URI.create(required("endpoint"));
        this.signer = new SigV4Signer(required("access"), required("secret"), "us-east-1");
        this.bucket = arguments.getOrDefault("bucket", "listing");
        this.keys = Integer.parseInt(arguments.getOrDefault("keys", "1000000"));
    }

    public static void main(String[] args) throws Exception {
        new S3List(args).run();
    }

    private void run() throws Exception {
        if (Boolean.parseBoolean(arguments.getOrDefault("fill", "true"))) {
            fill();
        }
        System.out.printf(
                "%-28s %10s %8s %10s %12s %9s %9s%n",
                "listing", "lines", "pages", "wall s", "keys/s", "p50 ms", "p99 ms");
        try (S3Connection connection = new S3Connection(endpoint, signer)) {
            list(connection, "warm-up", "", keys);
            list(connection, "all keys", "", keys);
            list(connection, "delimiter /, few prefixes", "&delimiter=%2F", keys);
            for (int tree = 0; tree < Math.min(3, trees()); tree++) {
                list(
                        connection,
                        "delimiter /, under " + directory(tree, ""),
                        "&delimiter=%2F&prefix=" + directory(tree, "%2F"),
                        Math.min(keys, KEYS_OF_A_DIRECTORY * DIRECTORIES_OF_A_TREE));
            }
        }
    }

    private int trees() {
        return Math.ceilDiv(keys, KEYS_OF_A_DIRECTORY * DIRECTORIES_OF_A_TREE);
    }

    private static String directory(int tree, String end) {
        return String.format(Locale.ROOT, "%02d", tree) + end;
    }

    private static String key(int i) {
        int directory = i / KEYS_OF_A_DIRECTORY;
        return String.format(
                Locale.ROOT,
                "%02d/%04d/%08d",
                directory / DIRECTORIES_OF_A_TREE,
                directory % DIRECTORIES_OF_A_TREE,
                i);
    }

    private void fill() throws Exception {
        int clients = Integer.parseInt(arguments.getOrDefault("clients", "64"));
        try (S3Connection connection = new S3Connection(endpoint, signer)) {
            connection.send("PUT", "/" + bucket, new byte[0], 200);
        }
        AtomicInteger next = new AtomicInteger();
        long start = System.nanoTime();
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            List<Future<?>> running = new ArrayList<>();
            for (int c = 0; c < clients; c++) {
                running.add(
                        threads.submit(
                                () -> {
                                    put(next);
                                    return null;
                                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "%d keys put in %.1f s, %.0f a second, %d clients%n",
                keys,
                seconds,
                keys / seconds,
                clients);
    }

    private void put(AtomicInteger next) throws IOException {
        try (S3Connection connection = new S3Connection(endpoint, signer)) {
            for (int i = next.getAndIncrement(); i < keys; i = next.getAndIncrement()) {
                byte[] body = Integer.toString(i).getBytes(StandardCharsets.US_ASCII);
                connection.send("PUT", "/" + bucket + "/" + key(i), body, 200);
            }
        }
    }

    /**
     * @param covered keys that the listing goes over, which with a delimiter are more than its
     *     lines
     */
    private void list(S3Connection connection, String name, String query, int covered)
            throws IOException {
        List<Long> latencies = new ArrayList<>();
        long lines = 0;
        String token = "";
        long start = System.nanoTime();
        do {
            long before = System.nanoTime();
            String page = connection.text("/" + bucket + "?list-type=2" + query + token);
            latencies.add(System.nanoTime() - before);
            lines += Long.parseLong(require(COUNT.matcher(page)));
            Matcher next = NEXT.matcher(page);
            token =
                    next.find()
                            ? "&continuation-token="
                                    + URLEncoder.encode(next.group(1), StandardCharsets.UTF_8)
                            : "";
        } while (!token.isEmpty());
        double seconds = (System.nanoTime() - start) / 1e9;
        long[] sorted = latencies.stream().mapToLong(Long::longValue).sorted().toArray();
        System.out.printf(
                Locale.ROOT,
                "%-28s %10d %8d %10.2f %12.0f %9.1f %9.1f%n",
                name,
                lines,
                sorted.length,
                seconds,
                covered / seconds,
                sorted[sorted.length / 2] / 1e6,
                sorted[(int) (sorted.length * 0.99)] / 1e6);
    }

    private static String require(Matcher matcher) throws IOException {
        if (!matcher.find()) {
            throw new IOException("no listing was answered");
        }
        return matcher.group(1);
    }

    private String required(String name) {
        String value = arguments.get(name);
        if (value == null) {
            throw new IllegalArgumentException("missing argument " + name + "=…");
        }
        return value;
    }
}
