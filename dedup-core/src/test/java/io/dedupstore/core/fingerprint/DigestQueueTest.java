package io.dedupstore.core.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.jni.NativeLibrary;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DigestQueueTest {
    private static final long SEED = 20261112;

    private final WorkerPool pool = new WorkerPool("hash-test", 2);
    private final DigestQueue queue = new DigestQueue(pool);

    @AfterEach
    void closePool() {
        pool.close();
    }

    @Test
    void manyStreamsAtOnceEachGetTheirOwnDigest() throws Exception {
        List<Callable<Boolean>> streams = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            long seed = SEED + i;
            streams.add(() -> digestsOfAStream(seed));
        }
        try (ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Boolean> stream : requests.invokeAll(streams)) {
                assertThat(stream.get(30, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    private boolean digestsOfAStream(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        List<RunningDigest> digests = new ArrayList<>();
        List<MessageDigest> wanted = new ArrayList<>();
        for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
            digests.add(HashEngine.best().start(algorithm));
            wanted.add(MessageDigest.getInstance(algorithm.jdkName()));
        }
        for (int piece = 0; piece < 12; piece++) {
            byte[] bytes = new byte[random.nextInt(piece % 4 == 0 ? 5000 : 120_000)];
            random.nextBytes(bytes);
            ByteBuffer buffer =
                    piece % 5 == 4
                            ? ByteBuffer.wrap(bytes)
                            : ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
            queue.update(buffer, digests);
            assertThat(buffer.remaining()).isEqualTo(bytes.length);
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
    void updatesThatWaitForAThreadRunTogether() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        byte[] bytes = new byte[50_000];
        new SplittableRandom(SEED).nextBytes(bytes);
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        byte[] wanted = MessageDigest.getInstance("MD5").digest(bytes);
        try (ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
            occupyPool(requests, gate);
            List<Future<byte[]>> digests = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                digests.add(
                        requests.submit(
                                () -> {
                                    RunningDigest md5 =
                                            HashEngine.best().start(DigestAlgorithm.MD5);
                                    queue.update(direct, List.of(md5));
                                    return md5.digest();
                                }));
            }
            gate.countDown();
            for (Future<byte[]> digest : digests) {
                assertThat(digest.get(30, TimeUnit.SECONDS)).isEqualTo(wanted);
            }
        }
    }

    @Test
    void anInterruptedUpdateThatNobodyBeganIsWithdrawn() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        try (ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
            occupyPool(requests, gate);
            ByteBuffer direct = ByteBuffer.allocateDirect(50_000);
            RunningDigest md5 = HashEngine.best().start(DigestAlgorithm.MD5);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> queue.update(direct, List.of(md5)))
                    .isInstanceOf(UncheckedIOException.class);
            assertThat(Thread.interrupted()).isTrue();
            gate.countDown();
        }
        RunningDigest next = HashEngine.best().start(DigestAlgorithm.SHA256);
        byte[] bytes = new byte[9000];
        Arrays.fill(bytes, (byte) 7);
        queue.update(ByteBuffer.allocateDirect(9000).put(bytes).flip(), List.of(next));
        assertThat(next.digest()).isEqualTo(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    @Test
    void whatWasPutOffRunsWithTheFirstThatIsNeeded() throws Exception {
        byte[] bytes = new byte[70_000];
        new SplittableRandom(SEED).nextBytes(bytes);
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        List<RunningDigest> digests = new ArrayList<>();
        List<DigestQueue.Pending> pending = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            RunningDigest md5 = HashEngine.best().start(DigestAlgorithm.MD5);
            digests.add(md5);
            pending.add(queue.updateLater(direct, List.of(md5)));
        }
        pending.getFirst().settle();
        if (NativeLibrary.available()) {
            // The others are done: nobody needs the pool for them.
            pool.close();
        }
        for (int i = 0; i < 9; i++) {
            pending.get(i).settle();
            assertThat(digests.get(i).digest())
                    .isEqualTo(MessageDigest.getInstance("MD5").digest(bytes));
        }
    }

    @Test
    void aClosedPoolFailsTheUpdate() {
        pool.close();
        RunningDigest md5 = HashEngine.best().start(DigestAlgorithm.MD5);
        assertThatThrownBy(() -> queue.update(ByteBuffer.allocateDirect(50_000), List.of(md5)))
                .isInstanceOf(IllegalStateException.class);
    }

    private void occupyPool(ExecutorService requests, CountDownLatch gate)
            throws InterruptedException {
        CountDownLatch running = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            requests.submit(
                    () ->
                            pool.run(
                                    () -> {
                                        running.countDown();
                                        await(gate);
                                    }));
        }
        assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
    }

    private static void await(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
