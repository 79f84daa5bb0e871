package io.dedupstore.core.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.jni.NativeLibrary;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many callers, few primaries, and an end at any time. */
class HashSchedulingTest {
    private static final long SEED = 20261112;
    private static final int LARGE = 64 << 20;

    private final HashEngine engine =
            HashEngine.start(
                    new HashSettings(
                            NativeLibrary.available() ? HashDriver.NATIVE : HashDriver.JDK, 1));

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void manyStreamsAtOnceEachGetTheirOwnDigest() throws Exception {
        List<Callable<Boolean>> streams = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            long seed = SEED + i;
            streams.add(() -> digestsOfAStream(seed));
        }
        try (ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> running = new ArrayList<>();
            streams.forEach(stream -> running.add(requests.submit(stream)));
            for (int primaries : new int[] {3, 1, 2, 1}) {
                engine.setPrimaries(primaries);
                assertThat(engine.statistics().primaries()).isEqualTo(primaries);
            }
            for (Future<Boolean> stream : running) {
                assertThat(stream.get(60, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    private boolean digestsOfAStream(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        List<RunningDigest> digests = new ArrayList<>();
        List<MessageDigest> wanted = new ArrayList<>();
        for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
            if (!algorithm.isOfRuntime()) {
                continue;
            }
            digests.add(engine.start(algorithm));
            wanted.add(MessageDigest.getInstance(algorithm.jdkName()));
        }
        for (int piece = 0; piece < 10; piece++) {
            byte[] bytes = new byte[random.nextInt(piece % 4 == 0 ? 9000 : 120_000)];
            random.nextBytes(bytes);
            ByteBuffer buffer =
                    piece % 5 == 4
                            ? ByteBuffer.wrap(bytes)
                            : ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
            HashEngine.Pending later = engine.updateLater(buffer, digests);
            assertThat(engine.sha256(List.of(buffer)))
                    .isEqualTo(MessageDigest.getInstance("SHA-256").digest(bytes));
            later.settle();
            wanted.forEach(digest -> digest.update(bytes));
        }
        for (int i = 0; i < digests.size(); i++) {
            assertThat(digests.get(i).digest())
                    .as("seed %d", seed)
                    .isEqualTo(wanted.get(i).digest());
        }
        return true;
    }

    @Test
    void whatWasPutOffFillsTheLanesOfTheFirstThatIsNeeded() throws Exception {
        byte[] bytes = new byte[70_000];
        new SplittableRandom(SEED).nextBytes(bytes);
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        List<RunningDigest> digests = new ArrayList<>();
        List<HashEngine.Pending> pending = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            RunningDigest md5 = engine.start(DigestAlgorithm.MD5);
            digests.add(md5);
            pending.add(engine.updateLater(direct, List.of(md5)));
        }
        assertThat(jobs("MD5")).isZero();
        for (int i = 0; i < 9; i++) {
            pending.get(i).settle();
            assertThat(digests.get(i).digest())
                    .isEqualTo(MessageDigest.getInstance("MD5").digest(bytes));
        }
        if (NativeLibrary.available()) {
            HashStatistics.Queue md5 = queue("MD5");
            assertThat(md5.callsByRows()[9]).isPositive();
            assertThat(md5.bytes()).isEqualTo(9L * bytes.length);
        }
    }

    @Test
    void aShortJobIsDoneLongBeforeTheLongOneThatWasThereFirst() {
        RunningDigest md5 = engine.start(DigestAlgorithm.MD5);
        RunningDigest other = engine.start(DigestAlgorithm.SHA256);
        HashEngine.Pending large =
                engine.updateLater(ByteBuffer.allocateDirect(LARGE), List.of(md5, other));
        ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
        try (requests) {
            Future<?> settled = requests.submit(large::settle);
            await(() -> waiting() > 0 || settled.isDone());
            engine.sha256(List.of(ByteBuffer.allocateDirect(8192)));
            assertThat(settled.isDone()).isFalse();
        }
    }

    @Test
    void anInterruptedCallerWithdrawsWhatNobodyBegan() throws Exception {
        RunningDigest md5 = engine.start(DigestAlgorithm.MD5);
        HashEngine.Pending pending =
                engine.updateLater(ByteBuffer.allocateDirect(50_000), List.of(md5));
        try (ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> occupied = occupy(requests, 4);
            Thread.currentThread().interrupt();
            assertThatThrownBy(pending::settle).isInstanceOf(UncheckedIOException.class);
            assertThat(Thread.interrupted()).isTrue();
            occupied.get(60, TimeUnit.SECONDS);
        }
        assertThat(waiting()).isZero();
        byte[] bytes = new byte[9000];
        assertThat(engine.sha256(List.of(ByteBuffer.allocateDirect(9000))))
                .isEqualTo(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    @Test
    void closingFailsWhatWaitsAndReturnsWhenNobodyReadsAnyMore() throws Exception {
        RunningDigest later = engine.start(DigestAlgorithm.SHA256);
        HashEngine.Pending pending =
                engine.updateLater(ByteBuffer.allocateDirect(50_000), List.of(later));
        try (ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> occupied = occupy(requests, 8);
            engine.close();
            assertThatThrownBy(() -> occupied.get(60, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(IllegalStateException.class);
        }
        assertThatThrownBy(pending::settle).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> engine.sha256(List.of(ByteBuffer.allocateDirect(9000))))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> engine.setPrimaries(2)).isInstanceOf(IllegalStateException.class);
        engine.close();
    }

    @Test
    void callersThatCloseAndHashAtTheSameTimeAlwaysGetAnAnswer() throws Exception {
        for (int round = 0; round < 20; round++) {
            HashEngine own = HashEngine.start(HashSettings.defaults());
            try (ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<byte[]>> answers = new ArrayList<>();
                for (int i = 0; i < 30; i++) {
                    ByteBuffer bytes = ByteBuffer.allocateDirect(1000 + i * 3000);
                    answers.add(requests.submit(() -> own.sha256(List.of(bytes, bytes))));
                }
                own.close();
                for (Future<byte[]> answer : answers) {
                    try {
                        assertThat(answer.get(60, TimeUnit.SECONDS)).hasSize(64);
                    } catch (ExecutionException e) {
                        assertThat(e).hasCauseInstanceOf(IllegalStateException.class);
                    }
                }
            }
        }
    }

    @Test
    void moreJobsThanTheQueueHoldsAreBackPressureNotFailure() throws Exception {
        ByteBuffer bytes = ByteBuffer.allocateDirect(5000);
        byte[] wanted = MessageDigest.getInstance("SHA-256").digest(new byte[5000]);
        List<ByteBuffer> window = new ArrayList<>();
        for (int i = 0; i < 512; i++) {
            window.add(bytes);
        }
        try (ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<byte[]>> answers = new ArrayList<>();
            for (int i = 0; i < 24; i++) {
                answers.add(requests.submit(() -> engine.sha256(window)));
            }
            for (Future<byte[]> answer : answers) {
                assertThat(answer.get(60, TimeUnit.SECONDS)).endsWith(wanted).hasSize(512 * 32);
            }
        }
    }

    @Test
    void whatIsPutOffWithoutEndIsRunSooner() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(4100);
        List<HashEngine.Pending> pending = new ArrayList<>();
        for (int i = 0; i < HashEngine.MAX_PUT_OFF + HashEngine.MAX_WAITING + 10; i++) {
            RunningDigest digest = engine.start(DigestAlgorithm.SHA1);
            pending.add(engine.updateLater(bytes, List.of(digest)));
        }
        pending.forEach(HashEngine.Pending::settle);
        assertThat(jobs("alone")).isEqualTo(pending.size());
    }

    /** Has the one primary busy with segments of large jobs. */
    private Future<?> occupy(ExecutorService requests, int jobs) {
        List<RunningDigest> digests = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            digests.add(engine.start(DigestAlgorithm.SHA1));
        }
        ByteBuffer bytes = ByteBuffer.allocateDirect(LARGE);
        Future<?> occupied = requests.submit(() -> engine.update(bytes, digests));
        await(() -> jobs("alone") > 0);
        return occupied;
    }

    private static void await(java.util.function.BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private int waiting() {
        return engine.statistics().queues().stream()
                .mapToInt(queue -> queue.waiting() + queue.putOff())
                .sum();
    }

    private long jobs(String name) {
        return queue(name).jobs();
    }

    private HashStatistics.Queue queue(String name) {
        return engine.statistics().queues().stream()
                .filter(queue -> queue.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
