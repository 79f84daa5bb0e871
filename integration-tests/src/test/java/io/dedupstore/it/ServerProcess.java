package io.dedupstore.it;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.AdminConnection;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A server of the built product on a directory of its own: started, killed and restarted by its
 * test. Its log lies beside the directory and stays when the test is over.
 */
final class ServerProcess implements AutoCloseable {
    private static final Duration READY_DEADLINE = Duration.ofMinutes(4);
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(60);
    private static final Path WORK =
            Path.of(System.getProperty("dedup.test.work", "target/servers"));
    private static final AtomicInteger LOGS = new AtomicInteger();
    private static boolean trained;

    private final Path data;
    private final Path log;
    private final List<String> flags;
    private Process process;
    private Duration startTime = Duration.ZERO;

    private ServerProcess(Path data, Path log, List<String> flags, Process process) {
        this.data = data;
        this.log = log;
        this.flags = flags;
        this.process = process;
    }

    /** Starts one on a fresh directory and waits until it is ready. */
    static ServerProcess start(String name, String... flags) throws IOException {
        Path directory = WORK.resolve(name).toAbsolutePath();
        deleteTree(directory);
        Files.createDirectories(directory);
        Path log = directory.resolve("server-" + LOGS.incrementAndGet() + ".log");
        Path data = directory.resolve("data");
        List<String> all = new ArrayList<>(List.of("--s3-port", "0", "--admin-port", "0"));
        all.addAll(List.of(flags));
        Instant begin = Instant.now();
        ServerProcess server = new ServerProcess(data, log, all, launch(data, log, all));
        server.awaitReady(begin);
        return server;
    }

    static Path dist() {
        Path dist = Path.of(System.getProperty("dedup.dist", "")).toAbsolutePath().normalize();
        if (!Files.isExecutable(dist.resolve("bin/dedup"))) {
            throw new IllegalStateException(
                    "no built product at " + dist + "; run these tests with mvn verify");
        }
        return dist;
    }

    /** Launches the product's command without waiting for anything. */
    static Process launch(Path data, Path log, List<String> flags) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(dist().resolve("bin/dedup").toString(), "server"));
        command.add(data.toString());
        command.addAll(flags);
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        // What is set for the one who runs the tests is not meant for the servers under test.
        builder.environment().keySet().removeIf(name -> name.startsWith("DEDUP_"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("DEDUP_CACHE_DIR", startUpCache().toString());
        return builder.start();
    }

    /** Trained once for all servers of a run: starts then take half the time. */
    private static synchronized Path startUpCache() throws IOException {
        Path cache = WORK.resolve("start-up-cache").toAbsolutePath();
        if (!trained) {
            Files.createDirectories(cache);
            new Command(cache)
                    .with("JAVA_HOME", System.getProperty("java.home"))
                    .with("DEDUP_CACHE_DIR", cache.toString())
                    .run(dist().resolve("bin/dedup").toString(), "train");
            trained = true;
        }
        return cache;
    }

    Path data() {
        return data;
    }

    Path log() {
        return log;
    }

    Credentials credentials() throws IOException {
        return Credentials.read(data);
    }

    AdminClient admin() throws IOException {
        return new AdminClient(AdminConnection.ofDataDirectory(data));
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** From the launch to the first ready answer. */
    Duration startTime() {
        return startTime;
    }

    /** Peak resident memory. */
    long peakResidentBytes() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid() + "/status"))) {
            return lines.filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
                    .findFirst()
                    .orElseThrow();
        }
    }

    void kill9() {
        process.destroyForcibly();
        awaitExit();
    }

    /** SIGTERM, and waits for the end. */
    int stop() {
        process.destroy();
        return awaitExit();
    }

    /**
     * Starts it again on the same directory.
     *
     * @param more flags for this start
     */
    void restart(String... more) throws IOException {
        if (process.isAlive()) {
            throw new IllegalStateException("stop or kill it first");
        }
        Instant begin = Instant.now();
        List<String> all = new ArrayList<>(flags);
        all.addAll(List.of(more));
        process = launch(data, log, all);
        awaitReady(begin);
    }

    @Override
    public void close() throws IOException {
        if (process.isAlive()) {
            process.destroy();
            if (!exitsIn(STOP_DEADLINE)) {
                kill9();
            }
        }
        deleteTree(data);
    }

    private void awaitReady(Instant begin) throws IOException {
        boolean ready =
                Eventually.holds(READY_DEADLINE, () -> !process.isAlive() || answersReady(begin));
        startTime = Duration.between(begin, Instant.now());
        if (!ready || !process.isAlive()) {
            if (process.isAlive()) {
                kill9();
            }
            throw new IOException("the server did not get ready; its log says:\n" + tailOfLog());
        }
    }

    /**
     * Ports of an earlier start may belong to somebody else by now: only a file of this start
     * counts.
     */
    private boolean answersReady(Instant begin) {
        try {
            FileTime written = Files.getLastModifiedTime(data.resolve(Credentials.FILE));
            return !written.toInstant().isBefore(begin)
                    && status(credentials().adminEndpoint().resolve("/health/ready")) == 200;
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    static int status(URI uri) throws IOException {
        HttpURLConnection connection = Tls.open(uri.toURL());
        connection.setConnectTimeout(2_000);
        connection.setReadTimeout(10_000);
        try {
            return connection.getResponseCode();
        } finally {
            connection.disconnect();
        }
    }

    String tailOfLog() throws IOException {
        List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    }

    private int awaitExit() {
        if (!exitsIn(STOP_DEADLINE)) {
            throw new AssertionError("the server did not end within " + STOP_DEADLINE);
        }
        return process.exitValue();
    }

    private boolean exitsIn(Duration deadline) {
        try {
            return process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    static void deleteTree(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        List<Path> paths;
        try (Stream<Path> walk = Files.walk(tree)) {
            paths = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : paths) {
            Files.deleteIfExists(path);
        }
    }
}
