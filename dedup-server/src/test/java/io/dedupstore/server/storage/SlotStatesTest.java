package io.dedupstore.server.storage;

import static io.dedupstore.server.storage.StorageFixture.INDEX;
import static io.dedupstore.server.storage.StorageFixture.METADATA;
import static io.dedupstore.server.storage.StorageFixture.adopt;
import static io.dedupstore.server.storage.StorageFixture.closed;
import static io.dedupstore.server.storage.StorageFixture.encoded;
import static io.dedupstore.server.storage.StorageFixture.free;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.io.FaultyDisk;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ChunkStoreException;
import io.dedupstore.core.spi.ChunkStoreException.Code;
import io.dedupstore.core.spi.ContainerNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SlotStatesTest {
    private static final int LENGTH = 1000;

    private final StorageFixture storage = new StorageFixture();

    @AfterEach
    void close() {
        storage.close();
    }

    /** Appends so many chunks to one container; chunk n is slot n. */
    private ContainerId filled(int chunks) {
        ChunkAddress last = null;
        for (int n = 0; n < chunks; n++) {
            last = storage.append(n, LENGTH);
        }
        assertThat(last.slot()).isEqualTo(chunks - 1);
        return last.container();
    }

    private void maintainAfterGrace() {
        storage.clock.advance(StorageFixture.GRACE.multipliedBy(2));
        storage.node.runMaintenance();
    }

    private void requireIntact(ContainerId container, int... slots) {
        for (int slot : slots) {
            assertThat(storage.isIntact(new ChunkAddress(container, slot), slot, LENGTH)).isTrue();
        }
    }

    private void requireCode(ContainerId container, int slot, Code code) {
        assertThatThrownBy(() -> storage.read(new ChunkAddress(container, slot), slot, LENGTH))
                .isInstanceOfSatisfying(
                        ChunkStoreException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void itemsAreAppliedOnceInOrderAndGapsAreRefused() {
        ContainerId container = filled(4);
        List<byte[]> adoptTwo = encoded(adopt(0), adopt(1));
        assertThat(storage.node.deliver(container, INDEX, 2, adoptTwo)).isZero();
        assertThat(storage.node.deliver(container, INDEX, 1, adoptTwo)).isEqualTo(2);
        assertThat(storage.node.deliver(container, INDEX, 1, adoptTwo)).isEqualTo(2);
        assertThat(storage.node.statistics().deadSlots()).isZero();
        // Overlaps what is known: only the third is new.
        assertThat(storage.node.deliver(container, INDEX, 2, encoded(free(3), free(0))))
                .isEqualTo(3);
        assertThat(storage.node.statistics().deadSlots()).isEqualTo(1);
        assertThat(storage.node.deliver(container, METADATA, 1, encoded(free(0), free(2))))
                .isEqualTo(2);
        assertThat(storage.node.statistics().deadSlots()).isEqualTo(2);
        storage.restart();
        assertThat(storage.node.deliver(container, INDEX, 3, encoded(free(1)))).isEqualTo(3);
        assertThat(storage.node.statistics().deadSlots()).isEqualTo(2);
    }

    @Test
    void freedIsTerminal() {
        ContainerId container = filled(2);
        storage.deliver(INDEX, container, adopt(0), free(0), adopt(0));
        storage.deliver(METADATA, container, adopt(0));
        assertThat(storage.node.statistics().deadSlots()).isEqualTo(1);
        storage.endSession();
        maintainAfterGrace();
        requireCode(container, 0, Code.GONE);
    }

    @Test
    void oneDeliveryIsOneDurableBatch() {
        ContainerId container = filled(10);
        DurableKv kv = storage.stores.values().iterator().next();
        int before = kv.writes();
        storage.deliver(INDEX, container, adopt(0, 1, 2), free(3), adopt(4), closed(1));
        assertThat(kv.writes() - before).isEqualTo(1);
    }

    @Test
    void anUnknownContainerKeepsItsItemsQueued() {
        assertThatThrownBy(
                        () -> storage.node.deliver(new ContainerId(77), INDEX, 1, encoded(free(0))))
                .isInstanceOfSatisfying(
                        ChunkStoreException.class,
                        e -> assertThat(e.code()).isEqualTo(Code.UNAVAILABLE));
    }

    @Test
    void unadoptedSlotsAreFreedOnlyWhenEveryRequiredShardHasClosedTheirEpoch() {
        ContainerId container = filled(3);
        storage.append(new V(1, 1, 9), 3, LENGTH);
        storage.deliver(INDEX, container, adopt(0));
        assertThat(storage.node.containersWithOrphans(1)).containsExactly(container);
        storage.node.refuseEpoch(1);
        storage.deliver(INDEX, container, closed(1));
        assertThat(storage.node.statistics().deadSlots()).isZero();
        assertThat(storage.node.containersWithOrphans(1)).containsExactly(container);
        // The last shard's own ADOPT stands before its CLOSED.
        storage.deliver(METADATA, container, adopt(1), closed(1));
        assertThat(storage.node.statistics().deadSlots()).isEqualTo(2);
        assertThat(storage.node.containersWithOrphans(1)).isEmpty();
        requireIntact(container, 0, 1);
    }

    @Test
    void closingAnEpochSparesLaterOnes() {
        ContainerId first = filled(2);
        storage.node.refuseEpoch(1);
        ChunkAddress second = storage.append(new V(2, 1, 0), 2, LENGTH);
        assertThat(second.container()).isNotEqualTo(first);
        for (ContainerId container : List.of(first, second.container())) {
            storage.deliver(INDEX, container, closed(1));
            storage.deliver(METADATA, container, closed(1));
        }
        assertThat(storage.node.statistics().deadSlots()).isEqualTo(2);
        assertThat(storage.node.containersWithOrphans(1)).isEmpty();
        assertThat(storage.node.containersWithOrphans(2)).containsExactly(second.container());
    }

    @Test
    void freedSlotsStayReadableForTheGracePeriod() {
        ContainerId container = filled(4);
        storage.endSession();
        storage.clock.advance(StorageFixture.GRACE.multipliedBy(2));
        storage.deliver(INDEX, container, free(0, 1, 2), adopt(3));
        storage.node.runMaintenance();
        requireIntact(container, 0, 1, 2, 3);
        storage.clock.advance(StorageFixture.GRACE.minusSeconds(1));
        storage.node.runMaintenance();
        requireIntact(container, 0, 1, 2, 3);
        maintainAfterGrace();
        requireIntact(container, 3);
        for (int slot = 0; slot < 3; slot++) {
            requireCode(container, slot, Code.GONE);
        }
        assertThat(storage.node.statistics().compactedContainers()).isEqualTo(1);
        assertThat(storage.node.statistics().deadSlots()).isZero();
        storage.restart();
        requireIntact(container, 3);
        requireCode(container, 1, Code.GONE);
    }

    @Test
    void aLittleDeadIsLeftAlone() {
        ContainerId container = filled(10);
        storage.endSession();
        storage.deliver(INDEX, container, free(0, 1, 2, 3));
        maintainAfterGrace();
        assertThat(storage.node.statistics().compactedContainers()).isZero();
        requireIntact(container, 0, 1, 2, 3, 4);
    }

    @Test
    void aDeadContainerIsDeletedAndItsLateItemsFindAnAnswer() {
        ContainerId container = filled(3);
        storage.endSession();
        storage.deliver(INDEX, container, free(0, 1, 2));
        maintainAfterGrace();
        assertThat(storage.disk.files().toString()).doesNotContain(container.toString());
        assertThat(storage.node.statistics().deletedContainers()).isEqualTo(1);
        requireCode(container, 0, Code.GONE);
        for (int round = 0; round < 2; round++) {
            assertThat(storage.node.deliver(container, METADATA, 5, encoded(closed(1))))
                    .isEqualTo(Long.MAX_VALUE);
            assertThat(storage.node.containersWithOrphans(9)).isEmpty();
            storage.restart();
        }
    }

    @Test
    void anOpenContainerWithLittleInItIsLeftAlone() {
        ContainerId container = filled(3);
        storage.deliver(INDEX, container, free(0, 1, 2));
        maintainAfterGrace();
        ChunkAddress next = storage.append(3, LENGTH);
        assertThat(next.container()).isEqualTo(container);
        requireIntact(container, 0, 1, 2, 3);
    }

    @Test
    void aMostlyDeadOpenContainerIsRewrittenAndItsWriterGoesOnInAnother() {
        ContainerId container = filled(100);
        storage.deliver(INDEX, container, adopt(range(90, 100)));
        storage.deliver(INDEX, container, free(range(0, 90)));
        storage.node.runMaintenance();
        assertThat(storage.append(100, LENGTH).container()).as("in grace").isEqualTo(container);
        maintainAfterGrace();
        assertThat(storage.node.statistics().compactedContainers()).isEqualTo(1);
        assertThat(storage.node.statistics().deadSlots()).isZero();
        assertThat(storage.node.statistics().fileBytes()).isLessThan(20 * LENGTH);
        requireIntact(container, range(90, 101));
        requireCode(container, 0, Code.GONE);
        ChunkAddress next = storage.append(101, LENGTH);
        assertThat(next.container()).isNotEqualTo(container);
        assertThat(storage.isIntact(next, 101, LENGTH)).isTrue();
    }

    @Test
    void aDeadOpenContainerIsDeleted() {
        ContainerId container = filled(100);
        storage.deliver(INDEX, container, free(range(0, 100)));
        maintainAfterGrace();
        assertThat(storage.node.statistics().deletedContainers()).isEqualTo(1);
        assertThat(storage.append(101, LENGTH).container()).isNotEqualTo(container);
    }

    @Test
    void aCommandSealsAnOpenContainerHoweverLittleIsInIt() {
        ContainerId container = filled(8);
        storage.deliver(INDEX, container, free(0));
        storage.clock.advance(StorageFixture.GRACE.multipliedBy(2));
        storage.node.compactNow();
        assertThat(storage.node.statistics().deadSlots()).isZero();
        requireIntact(container, range(1, 8));
    }

    private static int[] range(int from, int to) {
        return IntStream.range(from, to).toArray();
    }

    @Test
    void aRestartSealsOpenContainersAndKeepsStates() {
        ContainerId container = filled(4);
        storage.deliver(INDEX, container, free(0, 1, 2));
        storage.crash(3);
        assertThat(storage.node.statistics().openContainers()).isZero();
        assertThat(storage.node.statistics().sealedContainers()).isEqualTo(1);
        assertThat(storage.node.statistics().deadSlots()).isEqualTo(3);
        requireIntact(container, 0, 1, 2, 3);
        maintainAfterGrace();
        requireIntact(container, 3);
        requireCode(container, 0, Code.GONE);
    }

    @Test
    void aCrashAtAnyStepOfCompactionKeepsEveryLiveSlot() {
        for (int step = 0; step < 14; step++) {
            for (int seed = 0; seed < 4; seed++) {
                try (StorageFixture fixture = new StorageFixture()) {
                    List<ChunkAddress> addresses = new ArrayList<>();
                    for (int n = 0; n < 9; n++) {
                        addresses.add(fixture.append(n, LENGTH));
                    }
                    ContainerId container = addresses.getFirst().container();
                    fixture.endSession();
                    fixture.deliver(INDEX, container, adopt(0, 4, 8), free(1, 2, 3, 5, 6, 7));
                    fixture.clock.advance(StorageFixture.GRACE.multipliedBy(2));
                    fixture.disk.dieAfter(step);
                    fixture.node.runMaintenance();
                    fixture.crash(seed);
                    for (int n : new int[] {0, 4, 8}) {
                        assertThat(fixture.isIntact(addresses.get(n), n, LENGTH))
                                .as("step %d seed %d slot %d", step, seed, n)
                                .isTrue();
                    }
                    fixture.clock.advance(StorageFixture.GRACE.multipliedBy(2));
                    fixture.node.runMaintenance();
                    assertThat(fixture.node.statistics().deadSlots())
                            .as("step %d seed %d", step, seed)
                            .isZero();
                    assertThat(fixture.disk.files().toString())
                            .contains(".2.container")
                            .doesNotContain(".1.container", ".tmp");
                }
            }
        }
    }

    @Test
    void aReaderGoesOnInTheGenerationItHasOpened() throws Exception {
        ContainerId container = filled(4);
        storage.endSession();
        storage.deliver(INDEX, container, adopt(3), free(0, 1, 2));
        storage.clock.advance(StorageFixture.GRACE.multipliedBy(2));
        int[] slots = {0, 3};
        List<Integer> seen = new ArrayList<>();
        storage.node.read(
                container,
                slots,
                (index, record) -> {
                    if (seen.isEmpty()) {
                        storage.node.runMaintenance();
                    }
                    seen.add(index);
                });
        assertThat(seen).containsExactly(0, 1);
        assertThat(storage.node.statistics().compactedContainers()).isEqualTo(1);
        requireCode(container, 0, Code.GONE);
    }

    @Test
    void anErrorOfTheDiskDuringCompactionChangesNothing() {
        ContainerId container = filled(4);
        storage.endSession();
        storage.deliver(INDEX, container, adopt(3), free(0, 1, 2));
        storage.disk.hook(
                (operation, path) -> {
                    if (operation == FaultyDisk.Operation.SYNC) {
                        throw new IOException("input/output error");
                    }
                });
        maintainAfterGrace();
        assertThat(storage.node.statistics().failedCompactions()).isEqualTo(1);
        storage.disk.hook((operation, path) -> {});
        requireIntact(container, 3);
        maintainAfterGrace();
        assertThat(storage.node.statistics().compactedContainers()).isEqualTo(1);
    }

    @Test
    void aDamagedDirectoryIsReplacedByAScanAndWrittenAnew() throws IOException {
        ContainerId container = filled(5);
        storage.endSession();
        storage.close();
        Path path =
                storage.disk.files().stream()
                        .filter(p -> p.toString().contains(container + ".1."))
                        .findFirst()
                        .orElseThrow();
        byte[] bytes = storage.disk.bytes(path);
        bytes[bytes.length - 70] ^= 1;
        storage.disk.overwrite(path, bytes);
        storage.start();
        requireIntact(container, 0, 1, 2, 3, 4);
        storage.node.runMaintenance();
        assertThat(storage.disk.files().toString()).contains(container + ".2.");
        requireIntact(container, 0, 1, 2, 3, 4);
    }

    @Test
    void aLostFileIsDamageAndItsItemsDoNotWaitForEver() throws IOException {
        ContainerId container = filled(2);
        storage.endSession();
        storage.deliver(INDEX, container, adopt(0, 1));
        storage.close();
        for (Path path : storage.disk.files()) {
            if (path.toString().contains(container.toString())) {
                storage.disk.delete(path);
            }
        }
        storage.start();
        requireCode(container, 0, Code.DAMAGED);
        assertThat(storage.deliver(INDEX, container, free(0))).isEqualTo(2);
        maintainAfterGrace();
        requireCode(container, 1, Code.DAMAGED);
    }

    @Test
    void containersWithoutTheirStateAreRefused() {
        filled(1);
        storage.close();
        storage.stores.clear();
        assertThatThrownBy(storage::start).hasMessageContaining("state");
        storage.disk = new FaultyDisk();
        storage.start();
    }

    @Test
    void directoriesInMemoryAreBoundedAndComeBack() {
        List<ChunkAddress> addresses = new ArrayList<>();
        for (int n = 0; n < 30; n++) {
            addresses.add(storage.append(n, LENGTH));
            storage.endSession();
        }
        Random random = new Random(1);
        for (int i = 0; i < 200; i++) {
            int n = random.nextInt(30);
            assertThat(storage.isIntact(addresses.get(n), n, LENGTH)).isTrue();
        }
        assertThat(storage.node.statistics().sealedContainers()).isEqualTo(30);
    }

    @Test
    void statisticsFollowWhatHappens() {
        ContainerId container = filled(4);
        StorageStatistics open = storage.node.statistics();
        assertThat(open.openContainers()).isEqualTo(1);
        assertThat(open.liveSlots()).isEqualTo(4);
        assertThat(open.appendedChunks()).isEqualTo(4);
        assertThat(open.liveBytes()).isEqualTo(open.appendedBytes());
        storage.deliver(INDEX, container, adopt(0, 1, 2), free(1, 3));
        StorageStatistics freed = storage.node.statistics();
        assertThat(freed.liveSlots()).isEqualTo(2);
        assertThat(freed.deadSlots()).isEqualTo(2);
        assertThat(freed.liveBytes() + freed.deadBytes()).isEqualTo(open.liveBytes());
        storage.endSession();
        StorageStatistics sealed = storage.node.statistics();
        assertThat(sealed.sealedContainers()).isEqualTo(1);
        assertThat(sealed.liveBytes()).isEqualTo(freed.liveBytes());
        assertThat(sealed.deadBytes()).isEqualTo(freed.deadBytes());
        assertThat(sealed.fileBytes()).isGreaterThan(open.fileBytes());
    }

    @Test
    void deliveriesToManyContainersAreDurableWithOneWriteForEachDrive() {
        storage.close();
        try (StorageFixture two = new StorageFixture(2)) {
            List<ContainerNode.Delivery> deliveries = new ArrayList<>();
            for (int n = 0; n < 40; n++) {
                ContainerId container = two.append(n, LENGTH).container();
                two.endSession();
                deliveries.add(new ContainerNode.Delivery(container, 1, encoded(free(0))));
            }
            int before = two.stores.values().stream().mapToInt(DurableKv::writes).sum();
            List<ContainerNode.Outcome> outcomes =
                    two.node.deliverTogether(METADATA, deliveries.reversed());
            assertThat(outcomes).hasSize(40).allMatch(new ContainerNode.Outcome.Applied(1)::equals);
            int after = two.stores.values().stream().mapToInt(DurableKv::writes).sum();
            assertThat(after - before).isBetween(1, 2);
            assertThat(two.node.statistics().deadSlots()).isEqualTo(40);
            two.crash(1);
            assertThat(two.node.statistics().deadSlots()).isEqualTo(40);
            assertThat(two.node.deliverTogether(METADATA, deliveries))
                    .as("again")
                    .allMatch(new ContainerNode.Outcome.Applied(1)::equals);
        }
    }

    @Test
    void ofDeliveriesTogetherEachFailsOrIsPassedOverByItself() {
        ContainerId container = filled(2);
        List<ContainerNode.Outcome> outcomes =
                storage.node.deliverTogether(
                        METADATA,
                        List.of(
                                new ContainerNode.Delivery(
                                        new ContainerId(999), 1, encoded(free(0))),
                                new ContainerNode.Delivery(container, 1, encoded(free(0)))));
        assertThat(outcomes.get(0)).isInstanceOf(ContainerNode.Outcome.Failed.class);
        assertThat(outcomes.get(1)).isEqualTo(new ContainerNode.Outcome.Applied(1));
        ContainerNode.Delivery twice = new ContainerNode.Delivery(container, 2, encoded(free(1)));
        assertThatThrownBy(() -> storage.node.deliverTogether(METADATA, List.of(twice, twice)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(storage.node.statistics().deadSlots()).isEqualTo(1);
    }
}
