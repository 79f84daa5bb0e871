package io.dedupstore.server.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.checksum.AtRestChecksum;
import io.dedupstore.core.io.FaultyDisk.Operation;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ChunkOpener;
import io.dedupstore.core.spi.ChunkStore.NewChunk;
import io.dedupstore.core.spi.ChunkStore.Wanted;
import io.dedupstore.core.spi.ChunkStoreException;
import io.dedupstore.core.spi.ChunkStoreException.Code;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(AtRestChecksum.class)
class AppendTest {
    private final StorageFixture storage;

    AppendTest(AtRestChecksum checksum) {
        storage = new StorageFixture(1, checksum);
    }

    @AfterEach
    void close() {
        storage.close();
    }

    private static void requireCode(Runnable call, Code code) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        ChunkStoreException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void readsBackWhatWasAppendedInOneCallOfAnyOrder() {
        List<NewChunk> chunks = new ArrayList<>();
        for (int n = 0; n < 50; n++) {
            chunks.add(StorageFixture.chunk(n, 1 + n * 400));
        }
        List<ChunkAddress> addresses =
                storage.store.append(StorageFixture.V1, StorageFixture.DOMAIN, chunks);
        List<Wanted> wanted = new ArrayList<>();
        for (int n = 0; n < 50; n++) {
            wanted.add(
                    new Wanted(
                            addresses.get(n), chunks.get(n).fingerprint(), chunks.get(n).length()));
        }
        wanted.add(wanted.get(3));
        Collections.reverse(wanted);
        int total = wanted.stream().mapToInt(Wanted::length).sum();
        ByteBuffer target = ByteBuffer.allocateDirect(total + 10).position(7);
        storage.store.read(wanted, target, ChunkOpener.NONE);
        assertThat(target.position()).isEqualTo(7 + total);
        target.position(7);
        for (Wanted one : wanted) {
            int n = addresses.indexOf(one.address());
            byte[] read = new byte[one.length()];
            target.get(read);
            assertThat(read).isEqualTo(StorageFixture.bytes(n, one.length()));
        }
    }

    @Test
    void theLargestChunkFits() {
        ChunkAddress address = storage.append(1, 1 << 20);
        assertThat(storage.isIntact(address, 1, 1 << 20)).isTrue();
    }

    @Test
    void goesOnInAnotherContainerWhenOneIsFull() {
        Map<ChunkAddress, Integer> appended = new HashMap<>();
        for (int n = 0; n < 40; n++) {
            appended.put(storage.append(n, 100_000), n);
        }
        Set<ContainerId> containers = new TreeSet<>();
        appended.keySet().forEach(address -> containers.add(address.container()));
        assertThat(containers).hasSizeBetween(4, 5);
        assertThat(appended).hasSize(40);
        appended.forEach(
                (address, n) -> assertThat(storage.isIntact(address, n, 100_000)).isTrue());
    }

    @Test
    void oneRequestMaySpanContainers() {
        List<NewChunk> chunks = new ArrayList<>();
        for (int n = 0; n < 30; n++) {
            chunks.add(StorageFixture.chunk(n, 90_000));
        }
        List<ChunkAddress> addresses =
                storage.store.append(StorageFixture.V1, StorageFixture.DOMAIN, chunks);
        for (int n = 0; n < 30; n++) {
            assertThat(storage.isIntact(addresses.get(n), n, 90_000)).isTrue();
        }
    }

    @Test
    void oneSyncServesAllWhoWait() throws Exception {
        storage.append(0, 10);
        long before = storage.node.statistics().syncs();
        CountDownLatch firstSyncs = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        storage.disk.hook(
                (operation, path) -> {
                    if (operation == Operation.SYNC) {
                        firstSyncs.countDown();
                        await(go);
                    }
                });
        int callers = 64;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<ChunkAddress>> appends = new ArrayList<>();
            for (int n = 0; n < callers; n++) {
                int number = n;
                appends.add(threads.submit(() -> storage.append(number, 100)));
            }
            assertThat(firstSyncs.await(10, TimeUnit.SECONDS)).isTrue();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (storage.node.statistics().appendedChunks() < callers + 1
                    && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            go.countDown();
            Set<ChunkAddress> addresses = ConcurrentHashMap.newKeySet();
            for (Future<ChunkAddress> append : appends) {
                addresses.add(append.get(10, TimeUnit.SECONDS));
            }
            assertThat(addresses).hasSize(callers);
        }
        assertThat(storage.node.statistics().syncs() - before).isLessThanOrEqualTo(3);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void acknowledgedChunksSurviveEveryCrash() throws Exception {
        for (int seed = 0; seed < 25; seed++) {
            Map<ChunkAddress, Integer> acknowledged = new ConcurrentHashMap<>();
            AtomicInteger next = new AtomicInteger(seed * 1000);
            int die = 20 + seed * 7;
            storage.disk.dieAfter(die);
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int t = 0; t < 6; t++) {
                    threads.submit(
                            () -> {
                                while (!storage.disk.isDead()) {
                                    int n = next.getAndIncrement();
                                    acknowledged.put(storage.append(n, 5000), n);
                                }
                                return null;
                            });
                }
            }
            storage.crash(seed);
            assertThat(acknowledged).as("seed %d", seed).isNotEmpty();
            int at = seed;
            acknowledged.forEach(
                    (address, n) ->
                            assertThat(storage.isIntact(address, n, 5000))
                                    .as("seed %d chunk %d at %s", at, n, address)
                                    .isTrue());
        }
    }

    @Test
    void aFailedSyncIsNotRetriedOnTheSameFileButAnotherContainerTakesTheChunks() {
        ChunkAddress first = storage.append(1, 1000);
        AtomicBoolean fail = new AtomicBoolean(true);
        storage.disk.hook(
                (operation, path) -> {
                    if (operation == Operation.SYNC && fail.getAndSet(false)) {
                        throw new IOException("input/output error");
                    }
                });
        ChunkAddress second = storage.append(2, 1000);
        assertThat(second.container()).isNotEqualTo(first.container());
        ChunkAddress third = storage.append(3, 1000);
        assertThat(third.container()).isEqualTo(second.container());
        assertThat(storage.isIntact(first, 1, 1000)).isTrue();
        // The slot that was written and not acknowledged is not to be found once the file is given
        // up, which ends beside the caller's second attempt.
        storage.awaitFailure(
                () -> storage.read(new ChunkAddress(first.container(), 1), 2, 1000), Code.DAMAGED);
        for (int seed = 0; seed < 10; seed++) {
            storage.crash(seed);
            assertThat(storage.isIntact(first, 1, 1000)).isTrue();
            assertThat(storage.isIntact(second, 2, 1000)).isTrue();
            assertThat(storage.isIntact(third, 3, 1000)).isTrue();
        }
        // The file that failed is written anew.
        storage.clock.advance(StorageFixture.GRACE.multipliedBy(2));
        storage.node.runMaintenance();
        assertThat(storage.disk.files().toString())
                .contains("/" + first.container() + ".2.container")
                .doesNotContain("/" + first.container() + ".1.container");
        assertThat(storage.isIntact(first, 1, 1000)).isTrue();
    }

    @Test
    void aFailedWriteGoesOnInAnotherContainer() {
        ChunkAddress first = storage.append(1, 1000);
        AtomicBoolean fail = new AtomicBoolean(true);
        storage.disk.hook(
                (operation, path) -> {
                    if (operation == Operation.WRITE && fail.getAndSet(false)) {
                        throw new IOException("input/output error");
                    }
                });
        ChunkAddress second = storage.append(2, 1000);
        assertThat(second.container()).isNotEqualTo(first.container());
        storage.crash(1);
        assertThat(storage.isIntact(first, 1, 1000)).isTrue();
        assertThat(storage.isIntact(second, 2, 1000)).isTrue();
    }

    @Test
    void aDiskThatStaysBrokenGivesAnErrorAndNoAddress() {
        storage.append(1, 1000);
        storage.disk.hook(
                (operation, path) -> {
                    if (operation == Operation.SYNC) {
                        throw new IOException("input/output error");
                    }
                });
        requireCode(() -> storage.append(2, 1000), Code.UNAVAILABLE);
        storage.disk.hook((operation, path) -> {});
        ChunkAddress later = storage.append(3, 1000);
        assertThat(storage.isIntact(later, 3, 1000)).isTrue();
    }

    @Test
    void aFullDiskIsAClearErrorAndReadsGoOn() {
        ChunkAddress first = storage.append(1, 100_000);
        storage.disk.capacity(150_000);
        requireCode(() -> storage.append(2, 100_000), Code.FULL);
        requireCode(() -> storage.append(3, 100_000), Code.FULL);
        assertThat(storage.isIntact(first, 1, 100_000)).isTrue();
        storage.disk.capacity(10 << 20);
        ChunkAddress later = storage.append(4, 100_000);
        storage.crash(5);
        assertThat(storage.isIntact(first, 1, 100_000)).isTrue();
        assertThat(storage.isIntact(later, 4, 100_000)).isTrue();
    }

    @Test
    void aClosedEpochIsRefusedAndOthersInTheSameWindowAreNot() throws Exception {
        V old = new V(1, 1, 1);
        V young = new V(2, 1, 1);
        ChunkAddress first = storage.append(old, 1, 100);
        storage.node.refuseEpoch(1);
        requireCode(() -> storage.append(old, 2, 100), Code.STALE);
        ChunkAddress second = storage.append(young, 3, 100);
        requireCode(() -> storage.append(old, 4, 100), Code.STALE);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<ChunkAddress>> mixed = new ArrayList<>();
            for (int n = 10; n < 30; n++) {
                V v = n % 2 == 0 ? old : young;
                int number = n;
                mixed.add(threads.submit(() -> storage.append(v, number, 100)));
            }
            for (int i = 0; i < mixed.size(); i++) {
                if (i % 2 == 0) {
                    assertThatThrownBy(mixed.get(i)::get).hasMessageContaining("closed");
                } else {
                    assertThat(storage.isIntact(mixed.get(i).get(), 10 + i, 100)).isTrue();
                }
            }
        }
        assertThat(storage.isIntact(first, 1, 100)).isTrue();
        assertThat(storage.isIntact(second, 3, 100)).isTrue();
        storage.restart();
        requireCode(() -> storage.append(old, 5, 100), Code.STALE);
    }

    @Test
    void wrongExpectationsAreDamageNotWrongBytes() {
        ChunkAddress one = storage.append(1, 100);
        ChunkAddress two = storage.append(2, 100);
        requireCode(() -> storage.read(one, 2, 100), Code.DAMAGED);
        requireCode(() -> storage.read(two, 1, 100), Code.DAMAGED);
        requireCode(() -> storage.read(one, 1, 99), Code.DAMAGED);
        requireCode(
                () -> storage.read(new ChunkAddress(one.container(), 77), 1, 100), Code.DAMAGED);
        requireCode(
                () -> storage.read(new ChunkAddress(new ContainerId(999), 0), 1, 100),
                Code.UNAVAILABLE);
    }

    @Test
    void aFlippedBitOnDiskIsDamageAndAReadErrorIsNot() throws IOException {
        ChunkAddress one = storage.append(1, 1000);
        ChunkAddress two = storage.append(2, 1000);
        Path path =
                storage.disk.files().stream()
                        .filter(p -> p.toString().endsWith(".container"))
                        .findFirst()
                        .orElseThrow();
        byte[] bytes = storage.disk.bytes(path);
        bytes[4096 + 600] ^= 1;
        storage.disk.overwrite(path, bytes);
        requireCode(() -> storage.read(one, 1, 1000), Code.DAMAGED);
        assertThat(storage.isIntact(two, 2, 1000)).isTrue();
        storage.disk.hook(
                (operation, p) -> {
                    if (operation == Operation.READ) {
                        throw new IOException("input/output error");
                    }
                });
        requireCode(() -> storage.read(two, 2, 1000), Code.UNAVAILABLE);
    }

    @Test
    void anInterruptedCallerGetsAnErrorAndStaysInterrupted() throws Exception {
        storage.append(0, 10);
        CountDownLatch syncing = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        storage.disk.hook(
                (operation, path) -> {
                    if (operation == Operation.SYNC) {
                        syncing.countDown();
                        await(go);
                    }
                });
        AtomicBoolean stayed = new AtomicBoolean();
        Thread caller =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        storage.append(1, 10);
                                    } catch (ChunkStoreException e) {
                                        stayed.set(Thread.currentThread().isInterrupted());
                                    }
                                });
        assertThat(syncing.await(10, TimeUnit.SECONDS)).isTrue();
        caller.interrupt();
        caller.join();
        go.countDown();
        assertThat(stayed).isTrue();
        storage.disk.hook((operation, path) -> {});
        assertThat(storage.isIntact(storage.append(2, 10), 2, 10)).isTrue();
    }

    @Test
    void spreadsContainersOverDrivesAndLeavesABrokenOneOut() {
        try (StorageFixture two = new StorageFixture(2)) {
            two.disk.hook(
                    (operation, path) -> {
                        if (operation == Operation.CREATE && path.startsWith("/drives/0")) {
                            throw new IOException("input/output error");
                        }
                    });
            for (int n = 0; n < 5; n++) {
                ChunkAddress address = two.append(n, 1000);
                assertThat(two.isIntact(address, n, 1000)).isTrue();
            }
        }
    }
}
