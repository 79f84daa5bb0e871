package io.dedupstore.server.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.kv.KvStore;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class RaftRestartTest {
    @TempDir private Path directory;

    @Test
    void stateSurvivesARestartAndEveryCommandCountsOnce() throws Exception {
        int port;
        try (TestNode node = new TestNode(directory)) {
            port = node.host.port();
            for (int i = 0; i < 50; i++) {
                node.submit(i);
            }
        }
        try (TestNode node = new TestNode(directory)) {
            assertThat(node.total()).isEqualTo(50);
            assertThat(node.submit(50)).isEqualTo(51);
            assertThat(port).isPositive();
            assertThat(node.failures).isEmpty();
        }
    }

    /** Begins the entry's batch in the store, but what is not flushed is lost with the process. */
    @Test
    void aKilledProcessLosesNothingThatItAcknowledged() throws Exception {
        List<Long> acknowledged = killedAfter(400);

        try (TestNode node = new TestNode(directory)) {
            assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(400);
            for (long number : acknowledged) {
                assertThat(node.group().<Long>read(rows -> CountingMachine.count(rows, number)))
                        .as("command %d", number)
                        .isEqualTo(1);
            }
            assertThat(node.total()).isGreaterThanOrEqualTo(acknowledged.size());
            RaftGroup.Replay replay = node.group().lastReplay();
            assertThat(replay.operations())
                    .as("it flushes at 100 operations, never stops at twice as many")
                    .isBetween(1L, 1_000L);
            assertThat(replay.entries()).isPositive();
            assertThat(replay.bytes()).isPositive();
            assertThat(replay.duration()).isPositive();
            assertThat(node.group().flushing().operations()).isEqualTo(replay.operations());
        }
        try (TestNode node = new TestNode(directory)) {
            assertThat(node.group().lastReplay().operations()).as("closing drains").isZero();
        }
    }

    @Test
    void aDrainLeavesNothingToReplay() throws Exception {
        try (TestNode node = new TestNode(directory)) {
            for (int i = 0; i < 20; i++) {
                node.submit(i);
            }
            assertThat(node.group().unflushedEntries()).isGreaterThanOrEqualTo(19);
            // The last is answered before it is counted.
            assertThat(node.group().flushing().operations()).isBetween(19L, 20L);
            node.group().flush();
            assertThat(node.group().unflushedEntries()).isLessThan(3);
            assertThat(node.group().flushing().operations()).isLessThan(2);
        }
    }

    @Test
    void theStoreIsFlushedByItselfSoThatReplayStaysBounded() throws Exception {
        RaftOptions often = TestNode.options(directory).withSnapshotEvery(100, 1 << 30);
        try (TestNode node = new TestNode(directory, often, UnaryOperator.identity())) {
            long most = 0;
            for (int i = 0; i < 2_000; i++) {
                node.submit(i);
                most = Math.max(most, node.group().flushing().operations());
            }
            assertThat(node.group().flushing().flushes()).isGreaterThan(3);
            assertThat(most).isLessThan(1_000);
        }
    }

    private List<Long> killedAfter(int acknowledgements) throws IOException, InterruptedException {
        Process victim =
                new ProcessBuilder(
                                ProcessHandle.current().info().command().orElseThrow(),
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-Xmx256m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Victim.class.getName(),
                                directory.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        List<Long> acknowledged = new ArrayList<>();
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(victim.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("ack ")) {
                    acknowledged.add(Long.parseLong(line.substring(4)));
                }
                if (acknowledged.size() == acknowledgements) {
                    // Of the handle: the process object would close the stream with what is still
                    // in it.
                    victim.toHandle().destroyForcibly();
                }
            }
        } finally {
            victim.destroyForcibly().waitFor();
        }
        return acknowledged;
    }

    /** The child process: submits from several threads, says which commands were acknowledged. */
    static final class Victim {
        private Victim() {}

        public static void main(String[] args) throws Exception {
            Path directory = new File(args[0]).toPath();
            RaftOptions options = TestNode.options(directory).withSnapshotEvery(100, 1 << 20);
            TestNode node = new TestNode(directory, options, UnaryOperator.identity());
            try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
                for (int t = 0; t < 4; t++) {
                    long first = t;
                    threads.execute(() -> submitForEver(node, first));
                }
            }
        }

        private static void submitForEver(TestNode node, long first) {
            for (long number = first; ; number += 4) {
                node.submit(number);
                synchronized (Victim.class) {
                    System.out.println("ack " + number);
                    System.out.flush();
                }
            }
        }
    }

    @Test
    void theLogIsCutBehindAFlushAndALostStoreIsNoticedThen() throws Exception {
        RaftOptions options = TestNode.options(directory).withSnapshotEvery(50, 1L << 40);
        int large = 40;
        int small = 200;
        try (TestNode node = new TestNode(directory, options, UnaryOperator.identity())) {
            for (int i = 0; i < large; i++) {
                node.group().submit(CountingMachine.command(i, CommandMerger.MAX_COMMAND_BYTES));
            }
            for (int i = 0; i < small; i++) {
                node.submit(i);
            }
            node.group().flush();
        }
        try (TestNode node = new TestNode(directory, options, UnaryOperator.identity())) {
            assertThat(node.total()).isEqualTo(large + small);
            assertThat(node.group().ratisMachine().log().getStartIndex()).isPositive();
        }
        deleteTree(directory.resolve("store"));

        assertThatThrownBy(() -> new TestNode(directory))
                .hasMessageContaining("restore both together");
    }

    @Test
    void aStoreAheadOfItsLogIsRefusedAtEveryStart() throws Exception {
        try (TestNode node = new TestNode(directory)) {
            node.submit(1);
        }
        copyTree(directory.resolve("raft"), directory.resolve("older"));
        try (TestNode node = new TestNode(directory)) {
            for (int i = 0; i < 20; i++) {
                node.submit(i);
            }
        }
        deleteTree(directory.resolve("raft"));
        copyTree(directory.resolve("older"), directory.resolve("raft"));

        assertThatThrownBy(() -> new TestNode(directory))
                .hasMessageContaining("restore both together");
        assertThatThrownBy(() -> new TestNode(directory))
                .hasMessageContaining("restore both together");
    }

    @Test
    void aStoreWithoutItsLogIsRefused() throws Exception {
        try (TestNode node = new TestNode(directory)) {
            node.submit(1);
        }
        deleteTree(directory.resolve("raft"));

        assertThatThrownBy(() -> new TestNode(directory))
                .hasMessageContaining("there is no log")
                .hasMessageContaining("restore both together");
    }

    @Test
    void anotherPortServesTheSameGroup() throws Exception {
        int first;
        try (TestNode node = new TestNode(directory)) {
            node.submit(1);
            first = node.host.port();
        }
        int other = freePortBut(first);
        try (TestNode node =
                new TestNode(
                        directory,
                        TestNode.options(directory).withPort(other),
                        UnaryOperator.<KvStore>identity())) {
            assertThat(node.host.port()).isEqualTo(other);
            assertThat(node.submit(2)).isEqualTo(2);
        }
    }

    private static int freePortBut(int taken) throws IOException {
        try (ServerSocket one = new ServerSocket(0);
                ServerSocket two = new ServerSocket(0)) {
            return one.getLocalPort() != taken ? one.getLocalPort() : two.getLocalPort();
        }
    }

    private static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }

    private static void deleteTree(Path root) throws IOException {
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path folder, IOException failure)
                            throws IOException {
                        Files.delete(folder);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
