package io.dedupstore.core.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.checksum.AtRestChecksum;
import io.dedupstore.core.io.DiskFile;
import io.dedupstore.core.io.FaultyDisk;
import io.dedupstore.core.io.FaultyDisk.Operation;
import io.dedupstore.core.model.DomainId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OpenContainerTest {
    @Test
    void acknowledgedRecordsSurviveEveryCrashAndNoneComesBackHalf() throws IOException {
        for (int seed = 0; seed < 150; seed++) {
            Random random = new Random(seed);
            ContainerFixture container = new ContainerFixture(AtRestChecksum.CRC32C);
            int acknowledged = 0;
            int appends = 1 + random.nextInt(12);
            for (int i = 0; i < appends; i++) {
                container.append(1 + random.nextInt(3000));
                if (random.nextInt(3) == 0) {
                    container.open.sync();
                    acknowledged = i + 1;
                }
            }
            FaultyDisk after = container.disk.crash(seed);
            try (DiskFile file = after.open(container.path)) {
                ContainerHeader header = ContainerHeader.read(file, "crashed");
                ContainerScanner.Found found = ContainerScanner.scan(file, header, Long.MAX_VALUE);
                ContainerScanner.seal(file, found);
                ContainerContents contents = SlotDirectory.load(file, header).orElseThrow();
                ContainerReader reader = new ContainerReader(file, contents);
                for (int slot = 0; slot < appends; slot++) {
                    boolean there = contents.table().find(slot) >= 0;
                    assertThat(there || slot >= acknowledged)
                            .as("seed %d: slot %d of %d is there", seed, slot, acknowledged)
                            .isTrue();
                    if (there) {
                        ByteBuffer stored = reader.read(slot).stored();
                        assertThat(stored)
                                .as("seed %d slot %d", seed, slot)
                                .isEqualTo(
                                        ByteBuffer.wrap(
                                                ContainerFixture.chunk(slot, stored.remaining())));
                    }
                }
            }
        }
    }

    @Test
    void aCrashWhileSealingLosesNothing() throws IOException {
        for (int seed = 0; seed < 100; seed++) {
            ContainerFixture container = new ContainerFixture(AtRestChecksum.XXHASH64);
            for (int i = 0; i < 4; i++) {
                container.append(500);
            }
            container.open.sync();
            container.disk.hook(
                    (operation, path) -> {
                        if (operation == Operation.SYNC) {
                            throw new IOException("power failure");
                        }
                    });
            // What seal wrote is not synced: the crash keeps any part of it.
            DiskFile unsynced = container.disk.open(container.path);
            ContainerContents contents =
                    new ContainerContents(
                            container.header, container.open.table(), 4, container.open.end());
            container.disk.dieAfter(2 + seed % 4);
            assertThatThrownBy(() -> SlotDirectory.append(unsynced, contents))
                    .isInstanceOf(IOException.class);
            try (DiskFile file = container.disk.crash(seed).open(container.path)) {
                ContainerHeader header = ContainerHeader.read(file, "crashed");
                assertThat(
                                SlotDirectory.load(file, header)
                                        .orElseGet(() -> scanned(file, header))
                                        .table()
                                        .size())
                        .as("seed %d", seed)
                        .isEqualTo(4);
            }
        }
    }

    private static ContainerContents scanned(DiskFile file, ContainerHeader header) {
        try {
            return ContainerScanner.scan(file, header, Long.MAX_VALUE).contents();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void afterAFailedSyncTheFileTakesNothingMore() throws IOException {
        ContainerFixture container = new ContainerFixture(AtRestChecksum.CRC32C);
        container.append(10);
        container.disk.hook(
                (operation, path) -> {
                    if (operation == Operation.SYNC) {
                        throw new IOException("input/output error");
                    }
                });
        assertThatThrownBy(container.open::sync).hasMessage("input/output error");
        container.disk.hook((operation, path) -> {});
        assertThatThrownBy(() -> container.append(10)).hasMessageContaining("takes no more");
        assertThatThrownBy(container.open::sync).hasMessageContaining("takes no more");
        assertThatThrownBy(() -> container.open.seal(1)).hasMessageContaining("takes no more");
    }

    @Test
    void refusesRecordsOfClosedEpochsAndOutOfOrder() throws IOException {
        ContainerFixture container = new ContainerFixture(AtRestChecksum.CRC32C);
        container.append(10);
        ByteBuffer window = ContainerWriter.newWindow(0);
        ContainerFixture other = new ContainerFixture(AtRestChecksum.CRC32C);
        other.writer.add(
                ContainerFixture.FIRST_V,
                new DomainId(1),
                ContainerFixture.fingerprint(0),
                0,
                0,
                0,
                1,
                ByteBuffer.wrap(new byte[1]),
                window);
        assertThatThrownBy(() -> container.open.append(window.flip(), 0))
                .hasMessageContaining("slot 0 where 1 must follow");
        assertThatThrownBy(() -> other.open.append(window.rewind(), 3))
                .isInstanceOfSatisfying(
                        ContainerException.class,
                        e -> assertThat(e.code()).isEqualTo(ContainerException.Code.STALE));
        assertThat(other.open.table().size()).isZero();
        other.open.append(window.rewind(), 2);
        assertThat(other.open.table().size()).isEqualTo(1);
    }

    @Test
    void sealingAtTheAcknowledgedSlotsDropsTheRest() throws IOException {
        ContainerFixture container = new ContainerFixture(AtRestChecksum.CRC32C);
        for (int i = 0; i < 5; i++) {
            container.append(100);
        }
        container.open.seal(3);
        try (DiskFile file = container.disk.open(container.path)) {
            ContainerContents contents = SlotDirectory.load(file, container.header).orElseThrow();
            assertThat(contents.table().size()).isEqualTo(3);
            assertThat(contents.slots()).isEqualTo(3);
            assertThat(contents.sealedBytes()).isEqualTo(file.size());
        }
    }

    @Test
    void anUnfinishedCreationLeavesNoContainer() throws IOException {
        for (int steps = 0; steps < 5; steps++) {
            FaultyDisk disk = new FaultyDisk();
            disk.dieAfter(steps);
            ContainerHeader header =
                    new ContainerHeader(ContainerFixture.ID, 1, AtRestChecksum.CRC32C, 1, 1, 1, 0);
            Path path = ContainerFiles.path(ContainerFixture.FOLDER, ContainerFixture.ID, 1);
            try {
                OpenContainer.create(disk, path, header);
            } catch (IOException e) {
                FaultyDisk after = disk.crash(steps);
                if (after.exists(path)) {
                    try (DiskFile file = after.open(path)) {
                        assertThat(ContainerHeader.read(file, "created")).isEqualTo(header);
                    }
                }
                continue;
            }
            assertThat(disk.crash(steps).exists(path)).isTrue();
        }
    }
}
