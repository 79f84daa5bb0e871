package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.AdminClientException;
import io.dedupstore.client.admin.JobReport;
import io.dedupstore.client.admin.NewBucket;
import io.dedupstore.client.admin.SessionList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Kills the server in the middle of what it does by itself, under writers. Each test proves by what
 * is left behind that the middle was hit, and tries again where it was not.
 */
class KillWhileTest {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final long LOOK_NANOS = 200_000;
    private static final int WRITERS = 3;
    private static final int ATTEMPTS = 20;
    private static final String BALLAST = "ballast";

    /** Makes the index large enough for its files to take a while. */
    private static final int BALLAST_BYTES = 96 << 20;

    private static final int BALLAST_CHUNK = 4 << 10;

    private final long seed = Long.getLong("dedup.test.seed", System.nanoTime());
    private final CrashLoad load = new CrashLoad(WRITERS, seed);
    private ServerProcess server;

    @BeforeEach
    void start(TestInfo test) throws IOException {
        server =
                ServerProcess.start(
                        "kill-" + test.getTestMethod().orElseThrow().getName(),
                        "--freed-slot-grace",
                        "1s",
                        "--container-size",
                        "16MiB");
        try (AdminClient admin = server.admin();
                S3Client s3 = S3Clients.of(server)) {
            load.createBuckets(admin);
            admin.createBucket(new NewBucket(BALLAST, "fixed:4k", "off"));
            s3.putObject(
                    b -> b.bucket(BALLAST).key(BALLAST),
                    RequestBody.fromInputStream(
                            new RandomStream(seed, BALLAST_BYTES), BALLAST_BYTES));
        }
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    @Test
    void flushing() throws Exception {
        untilHit(
                () -> {
                    Set<Path> before = tables();
                    long manifests = manifestBytes();
                    // It begins with a flush of all tables, made final by one write of the
                    // manifest.
                    kill(AdminClient::shrinkIndex, () -> !before.containsAll(tables()));
                    return manifestBytes() == manifests && !before.containsAll(tables());
                });
    }

    @Test
    void compactingTheIndex() throws Exception {
        untilHit(
                () -> {
                    try (AdminClient admin = server.admin()) {
                        IndexChecks.settle(admin);
                        // Afterwards there is next to nothing to flush: large files are
                        // compaction's.
                        IndexChecks.ended(admin, admin.shrinkIndex());
                    }
                    Set<Path> before = tables();
                    long[] manifests = new long[1];
                    kill(
                            AdminClient::shrinkIndex,
                            () -> {
                                manifests[0] = manifestBytes();
                                return hasNewLargeTable(before);
                            });
                    return manifestBytes() == manifests[0] && hasNewLargeTable(before);
                });
    }

    @Test
    void compactingContainers() throws Exception {
        untilHit(
                () -> {
                    try (AdminClient admin = server.admin();
                            S3Client s3 = S3Clients.of(server)) {
                        halfDeadContainers(s3);
                        IndexChecks.settle(admin);
                    }
                    kill(AdminClient::compact, () -> !unfinishedContainers().isEmpty());
                    return !unfinishedContainers().isEmpty();
                });
    }

    /** Chunks that stay and chunks that go, next to each other. */
    private void halfDeadContainers(S3Client s3) {
        int pieces = 48;
        for (int i = 0; i < pieces; i++) {
            byte[] bytes = TestFiles.bytes(System.nanoTime(), 1 << 20);
            String key = (i % 2 == 0 ? "stays-" : "goes-") + i;
            s3.putObject(b -> b.bucket(BALLAST).key(key), RequestBody.fromBytes(bytes));
        }
        for (int i = 1; i < pieces; i += 2) {
            String key = "goes-" + i;
            s3.deleteObject(b -> b.bucket(BALLAST).key(key));
        }
    }

    @Test
    void pruning() throws Exception {
        long ballast = BALLAST_BYTES / BALLAST_CHUNK;
        untilHit(
                () -> {
                    long before = prunedEntries();
                    kill(
                            admin ->
                                    admin.pruneIndex("entries", String.valueOf(ballast / 2), false),
                            this::isRemoving);
                    server.restart();
                    long pruned = prunedEntries() - before;
                    server.kill9();
                    return pruned > 0 && pruned < ballast / 2;
                });
    }

    private boolean isRemoving() {
        try (AdminClient admin = server.admin()) {
            return admin.jobs().jobs().stream()
                    .anyMatch(job -> job.phase().equals("removing") && job.done() > 0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private long prunedEntries() throws IOException {
        try (AdminClient admin = server.admin()) {
            return admin.index().pruning().pruned();
        }
    }

    /** Reading takes a moment only: the process is stopped to see whether it is in it. */
    @Test
    void preloading() throws Exception {
        try (AdminClient admin = server.admin()) {
            IndexChecks.ended(admin, admin.shrinkIndex());
        }
        Set<Path> tables = tables();
        untilHit(
                () -> {
                    boolean[] hit = new boolean[1];
                    load.writeAndKill(
                            server,
                            () -> preloadAgainAndAgain(),
                            () -> hit[0] = stopsWhileReading(tables),
                            "seed " + seed);
                    return hit[0];
                });
    }

    private void preloadAgainAndAgain() {
        try (AdminClient admin = server.admin()) {
            while (true) {
                IndexChecks.ended(admin, admin.preloadIndex("all"));
            }
        } catch (AdminClientException gone) {
            // The server was killed, as intended.
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** True when it left the process stopped. */
    private boolean stopsWhileReading(Set<Path> tables) throws IOException {
        Command command = new Command(server.data());
        String pid = String.valueOf(server.pid());
        for (int look = 0; look < 300; look++) {
            command.run("kill", "-STOP", pid);
            if (isOpenTwice(tables)) {
                return true;
            }
            command.run("kill", "-CONT", pid);
            LockSupport.parkNanos(LOOK_NANOS * (look % 7));
        }
        return false;
    }

    /** RocksDB has each table open once. */
    private boolean isOpenTwice(Set<Path> tables) throws IOException {
        List<Path> open = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + server.pid() + "/fd"))) {
            for (Path descriptor : descriptors.toList()) {
                try {
                    open.add(Files.readSymbolicLink(descriptor));
                } catch (NoSuchFileException e) {
                    // Closed meanwhile.
                }
            }
        }
        open.retainAll(tables);
        return open.size() > new HashSet<>(open).size();
    }

    /**
     * Killed again and again, a little later each time, until one comes too late. What the epoch is
     * closed for, the writers left at the kill before.
     */
    @Test
    void closingAnEpoch() throws Exception {
        int hits = 0;
        boolean tooLate = false;
        for (int attempt = 0; !tooLate || hits < 2; attempt++) {
            assertThat(attempt).as("hits: %d, too late: %s", hits, tooLate).isLessThan(60);
            load.writeAndKill(server, () -> {}, () -> TimeUnit.MILLISECONDS.sleep(300), "writing");
            server.restart();
            OptionalInt epoch = closing().max();
            if (epoch.isPresent()) {
                TimeUnit.MILLISECONDS.sleep(25L * (attempt % 30));
                tooLate |= !isClosing(epoch.getAsInt());
                server.kill9();
                server.restart();
                hits += isClosing(epoch.getAsInt()) ? 1 : 0;
            } else {
                tooLate = true;
            }
        }
        checkAll("closing");
    }

    private boolean isClosing(int epoch) throws IOException {
        return closing().anyMatch(each -> each == epoch);
    }

    /** Epochs whose sessions have ended and that are not closed yet. */
    private IntStream closing() throws IOException {
        try (AdminClient admin = server.admin()) {
            return admin.sessions().sessions().stream()
                    .filter(session -> session.state().equals("closing"))
                    .mapToInt(SessionList.Session::epoch);
        }
    }

    // ---- helpers ----

    /** An attempt that ends with a killed server; tells whether it was killed in the middle. */
    private interface Attempt {
        boolean hits() throws Exception;
    }

    private void untilHit(Attempt attempt) throws Exception {
        boolean hit = false;
        for (int i = 1; !hit; i++) {
            assertThat(i).as("attempts to hit the moment, seed %d", seed).isLessThan(ATTEMPTS);
            hit = attempt.hits();
            server.restart();
            checkAll("seed " + seed + ", attempt " + i);
        }
    }

    private void checkAll(String when) throws IOException {
        load.verify(server, when);
        try (S3Client s3 = S3Clients.of(server);
                AdminClient admin = server.admin()) {
            assertThat(TestFiles.sha256(s3.getObject(b -> b.bucket(BALLAST).key(BALLAST))))
                    .as(when)
                    .isEqualTo(TestFiles.sha256(new RandomStream(seed, BALLAST_BYTES)));
            IndexChecks.assertNothingIsLeft(admin, when);
        }
    }

    /** Something that is begun by the admin API. */
    private interface Begin {
        Object by(AdminClient admin);
    }

    /** Begins it under the writers, and kills when the condition holds, or it has ended. */
    private void kill(Begin begin, BooleanSupplier condition)
            throws IOException, InterruptedException {
        try (AdminClient admin = server.admin();
                AdminClient watch = server.admin()) {
            load.writeAndKill(
                    server,
                    () -> {
                        try {
                            begin.by(admin);
                        } catch (AdminClientException gone) {
                            // It answers when it has ended; the server was killed before.
                        }
                    },
                    () -> await(watch, condition),
                    "seed " + seed);
        }
    }

    private static void await(AdminClient admin, BooleanSupplier condition) {
        long end = System.nanoTime() + DEADLINE.toNanos();
        long nextLook = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("nothing happened").isLessThan(end);
            if (System.nanoTime() > nextLook) {
                List<JobReport> jobs = admin.jobs().jobs();
                if (!jobs.isEmpty() && jobs.stream().allMatch(JobReport::ended)) {
                    return;
                }
                nextLook = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private Path index() {
        return server.data().resolve("index");
    }

    private Set<Path> tables() {
        return files(index(), ".sst");
    }

    private boolean hasNewLargeTable(Set<Path> before) {
        return tables().stream()
                .anyMatch(table -> !before.contains(table) && table.toFile().length() > 256 << 10);
    }

    private long manifestBytes() {
        try (Stream<Path> files = Files.list(index())) {
            return files.filter(f -> f.getFileName().toString().startsWith("MANIFEST"))
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Set<Path> unfinishedContainers() {
        Set<Path> all = new HashSet<>();
        Path containers = server.data().resolve("drives/0/containers");
        for (java.io.File folder : containers.toFile().listFiles()) {
            all.addAll(files(folder.toPath(), ".tmp"));
        }
        return all;
    }

    private static Set<Path> files(Path directory, String suffix) {
        Set<Path> found = new HashSet<>();
        try (Stream<Path> files = Files.list(directory)) {
            files.filter(file -> file.toString().endsWith(suffix)).forEach(found::add);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return found;
    }
}
