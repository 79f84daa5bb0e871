package io.dedupstore.server.storage;

import static io.dedupstore.server.storage.StorageFixture.METADATA;
import static io.dedupstore.server.storage.StorageFixture.adopt;
import static io.dedupstore.server.storage.StorageFixture.free;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.checksum.AtRestChecksum;
import io.dedupstore.core.io.FaultyDisk;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Fingerprint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(AtRestChecksum.class)
class ScrubTest {
    private static final int LENGTH = 1000;

    private final StorageFixture storage;
    private final List<Told> told = new ArrayList<>();

    private record Told(ContainerId container, int slot, Optional<Fingerprint> fingerprint) {}

    ScrubTest(AtRestChecksum checksum) {
        storage = new StorageFixture(1, checksum);
    }

    @AfterEach
    void close() {
        storage.close();
    }

    /** Appends chunks to a container of its own, adopts and seals it; chunk n is slot n. */
    private ContainerId sealed(int chunks) {
        ContainerId container = null;
        for (int n = 0; n < chunks; n++) {
            container = storage.append(n, LENGTH).container();
        }
        storage.deliver(METADATA, container, adopt(IntStream.range(0, chunks).toArray()));
        storage.endSession();
        return container;
    }

    private ScrubStatus scrub() {
        told.clear();
        storage.node.onDamage((c, slot, fingerprint) -> told.add(new Told(c, slot, fingerprint)));
        storage.node.scrubNow();
        return storage.node.scrubStatus();
    }

    private Path file(ContainerId container) {
        return storage.disk.files().stream()
                .filter(path -> path.getFileName().toString().startsWith(container + "."))
                .findFirst()
                .orElseThrow();
    }

    /** Changes one bit of what a chunk's bytes are in the file. */
    private void flip(ContainerId container, int chunk) throws IOException {
        byte[] all = storage.disk.bytes(file(container));
        byte[] wanted = StorageFixture.bytes(chunk, LENGTH);
        int at = indexOf(all, wanted);
        all[at + LENGTH / 2] ^= 4;
        storage.disk.overwrite(file(container), all);
    }

    private static int indexOf(byte[] all, byte[] wanted) {
        for (int i = 0; i + 64 <= all.length; i++) {
            int same = 0;
            while (same < 64 && all[i + same] == wanted[same]) {
                same++;
            }
            if (same == 64) {
                return i;
            }
        }
        throw new AssertionError("the chunk is not there");
    }

    @Test
    void everyRecordOfEverySealedContainerIsVerified() {
        sealed(5);
        sealed(3);
        storage.append(100, LENGTH);
        ScrubStatus status = scrub();
        assertThat(status.running()).isFalse();
        assertThat(status.containers()).isEqualTo(2);
        assertThat(status.records()).isEqualTo(8);
        assertThat(status.bytes()).isGreaterThanOrEqualTo(8 * LENGTH);
        assertThat(status.damaged()).isZero();
        assertThat(told).isEmpty();
        assertThat(storage.node.statistics().scrubbedRecords()).isEqualTo(8);
    }

    @Test
    void aFlippedBitIsToldWithItsSlotAndFingerprintAndKeptUntilItIsHealed() throws IOException {
        sealed(4);
        ContainerId container = sealed(5);
        byte[] healthy = storage.disk.bytes(file(container)).clone();
        flip(container, 3);
        ScrubStatus status = scrub();
        assertThat(told)
                .containsExactly(
                        new Told(container, 3, Optional.of(StorageFixture.fingerprint(3))));
        assertThat(status.damaged()).isEqualTo(1);
        assertThat(status.records()).isEqualTo(9);
        assertThat(status.named()).containsExactly(new ChunkAddress(container, 3));
        storage.crash(3);
        assertThat(storage.node.damagedSlots()).as("kept").isEqualTo(1);
        assertThat(storage.node.scrubStatus().damaged()).isEqualTo(1);
        assertThat(scrub().damaged()).as("told again").isEqualTo(1);
        assertThat(told).hasSize(1);
        storage.disk.overwrite(file(container), healthy);
        status = scrub();
        assertThat(status.damaged()).isZero();
        assertThat(status.damagedNow()).isZero();
        assertThat(status.passes()).isEqualTo(3);
    }

    @Test
    void aHeaderThatCannotBeReadHasNoFingerprint() throws IOException {
        ContainerId container = sealed(2);
        byte[] all = storage.disk.bytes(file(container));
        int at = indexOf(all, StorageFixture.bytes(1, LENGTH));
        for (int i = at - 100; i < at; i++) {
            all[i] = 0;
        }
        storage.disk.overwrite(file(container), all);
        scrub();
        assertThat(told).containsExactly(new Told(container, 1, Optional.empty()));
    }

    @Test
    void whatWasFreedIsNobodysLoss() throws IOException {
        ContainerId container = sealed(4);
        flip(container, 1);
        flip(container, 2);
        storage.deliver(METADATA, container, free(1));
        ScrubStatus status = scrub();
        assertThat(told).extracting(Told::slot).containsExactly(2);
        assertThat(status.records()).isEqualTo(3);
        storage.deliver(METADATA, container, free(2));
        assertThat(scrub().damagedNow()).as("freed since").isZero();
    }

    @Test
    void aLostFileIsTheDamageOfEverySlotThatHasAnOwner() throws IOException {
        ContainerId container = sealed(3);
        sealed(2);
        storage.restart();
        storage.disk.delete(file(container));
        ScrubStatus status = scrub();
        assertThat(told).extracting(Told::slot).containsExactly(0, 1, 2);
        assertThat(told).allMatch(one -> one.container().equals(container));
        assertThat(status.containers()).isEqualTo(2);
    }

    @Test
    void aFileThatCannotBeOpenedNowIsNoDamage() throws IOException {
        sealed(3);
        storage.restart();
        storage.disk.hook(
                (operation, at) -> {
                    if (operation == FaultyDisk.Operation.OPEN) {
                        throw new IOException("too many open files");
                    }
                });
        ScrubStatus status = scrub();
        storage.disk.hook((operation, at) -> {});
        assertThat(told).isEmpty();
        assertThat(status.records()).isZero();
        assertThat(scrub().records()).as("next time").isEqualTo(3);
    }

    @Test
    void aFileThatIsNoContainerAnyMoreIsTheLossOfItsChunks() throws IOException {
        ContainerId container = sealed(3);
        storage.restart();
        storage.disk.overwrite(file(container), new byte[5000]);
        scrub();
        assertThat(told).extracting(Told::slot).containsExactly(0, 1, 2);
    }

    @Test
    void anUnreadableSectorCostsOnlyItsRecord() throws IOException {
        ContainerId container = sealed(3);
        int[] reads = {0};
        storage.disk.hook(
                (operation, at) -> {
                    // The run as a whole, then each of its records.
                    if (operation == FaultyDisk.Operation.READ) {
                        reads[0]++;
                        if (reads[0] == 1 || reads[0] == 3 || reads[0] == 4) {
                            throw new IOException("input/output error");
                        }
                    }
                });
        scrub();
        storage.disk.hook((operation, at) -> {});
        assertThat(told).containsExactly(new Told(container, 1, Optional.empty()));
    }

    @Test
    void aPassGoesOnWhereItWasAfterACrash() {
        List<ContainerId> containers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            containers.add(sealed(2));
        }
        storage.node.startScrub();
        for (int i = 0; i < 3; i++) {
            assertThat(storage.node.scrubStep()).isNotNegative();
        }
        assertThat(storage.node.scrubStatus().containers()).isEqualTo(3);
        storage.crash(5);
        ScrubStatus after = storage.node.scrubStatus();
        assertThat(after.running()).isTrue();
        assertThat(after.containers()).isEqualTo(3);
        ScrubStatus end = scrub();
        assertThat(end.containers()).isEqualTo(6);
        assertThat(end.records()).isEqualTo(12);
        assertThat(end.passes()).as("one, not two").isEqualTo(1);
        assertThat(storage.node.statistics().scrubbedRecords()).isEqualTo(6);
    }

    @Test
    void compactionBetweenTheStepsOfAPassChangesNothing() {
        ContainerId container = sealed(6);
        storage.node.startScrub();
        storage.deliver(METADATA, container, free(0, 1, 2, 3));
        storage.clock.advance(StorageFixture.GRACE.multipliedBy(2));
        storage.node.runMaintenance();
        assertThat(storage.node.statistics().compactedContainers()).isEqualTo(1);
        ScrubStatus status = scrub();
        assertThat(status.records()).isEqualTo(2);
        assertThat(told).isEmpty();
    }

    @Test
    void aListenerThatFailsEndsNothing() throws IOException {
        ContainerId container = sealed(3);
        flip(container, 0);
        flip(container, 2);
        storage.node.onDamage(
                (c, slot, fingerprint) -> {
                    throw new IllegalStateException("planted");
                });
        storage.node.scrubNow();
        assertThat(storage.node.scrubStatus().damaged()).isEqualTo(2);
        assertThat(storage.node.scrubStatus().running()).isFalse();
    }
}
