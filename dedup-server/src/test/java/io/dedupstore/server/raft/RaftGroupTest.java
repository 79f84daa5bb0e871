package io.dedupstore.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.state.ReplicationException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RaftGroupTest {
    private static TestNode node;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        node = new TestNode(directory);
    }

    @AfterAll
    static void stop() {
        node.close();
        assertThat(node.failures).isEmpty();
    }

    @Test
    void aReplyIsThatOfTheStateMachine() {
        long before = node.total();

        assertThat(node.submit(1)).isEqualTo(before + 1);
        assertThat(node.submit(2)).isEqualTo(before + 2);
    }

    @Test
    void aReadSeesWhatWasAcknowledgedBefore() {
        for (int i = 0; i < 20; i++) {
            long acknowledged = node.submit(3);
            assertThat(node.total()).isGreaterThanOrEqualTo(acknowledged);
        }
    }

    @Test
    void commandsThatCanWaitGetThereBesideAllOthers() throws Exception {
        long before = node.total();
        List<Future<?>> done = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int caller = 0; caller < 8; caller++) {
                boolean patient = caller % 2 == 0;
                done.add(
                        threads.submit(
                                () -> {
                                    for (int i = 0; i < 20; i++) {
                                        byte[] command = CountingMachine.command(7, 8);
                                        if (patient) {
                                            node.group().patient().submit(command);
                                        } else {
                                            node.group().submit(command);
                                        }
                                    }
                                }));
            }
        }
        for (Future<?> future : done) {
            future.get();
        }
        assertThat(node.total()).isEqualTo(before + 160);
        assertThat(node.group().patientShare()).isBetween(0.0, 1.0);
    }

    @Test
    void virtualThreadsReadThroughThePool() throws Exception {
        List<String> reader = new ArrayList<>();

        Thread.ofVirtual()
                .start(
                        () ->
                                reader.add(
                                        node.group()
                                                .read(rows -> Thread.currentThread().getName())))
                .join();

        assertThat(reader.getFirst()).startsWith("kv-");
    }

    @Test
    void concurrentCommandsShareEntriesAndEachIsAppliedOnce() throws Exception {
        AtomicInteger entries = new AtomicInteger();
        node.group().onApplied(entries::incrementAndGet);
        int callers = 64;
        int each = 10;
        List<Future<?>> done = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int caller = 0; caller < callers; caller++) {
                int first = 1000 + caller * each;
                done.add(threads.submit(() -> submitRun(first, each)));
            }
        }
        for (Future<?> future : done) {
            future.get();
        }

        for (int number = 1000; number < 1000 + callers * each; number++) {
            int wanted = number;
            assertThat(node.group().<Long>read(rows -> CountingMachine.count(rows, wanted)))
                    .isEqualTo(1);
        }
        assertThat(entries.get()).isPositive().isLessThan(callers * each / 4);
    }

    private static void submitRun(int first, int count) {
        for (int number = first; number < first + count; number++) {
            node.submit(number);
        }
    }

    @Test
    void aCommandOfTheLargestSizeIsApplied() {
        byte[] large = CountingMachine.command(5, CommandMerger.MAX_COMMAND_BYTES);
        long before = node.total();

        node.group().submit(large);

        assertThat(node.total()).isEqualTo(before + 1);
    }

    @Test
    void anInterruptedCallerLearnsThatTheOutcomeIsUnknownAndStaysInterrupted() throws Exception {
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            // An answer that is there before the caller waits is given to it, interrupted or not.
            while (!get(thread.submit(this::failsWhileInterrupted))) {
                assertThat(System.nanoTime()).isLessThan(deadline);
            }
        }
    }

    private boolean failsWhileInterrupted() {
        Thread.currentThread().interrupt();
        try {
            node.submit(6);
            return false;
        } catch (ReplicationException e) {
            assertThat(e.code()).isEqualTo(ReplicationException.Code.UNKNOWN);
            return true;
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private static boolean get(Future<Boolean> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }
}
