package io.dedupstore.core.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.checksum.AtRestChecksum;
import io.dedupstore.core.io.DiskFile;
import io.dedupstore.core.io.FaultyDisk;
import io.dedupstore.core.io.NoSpaceException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ContainerCompactorTest {
    private static final int CHUNKS = 20;
    private static final Path TARGET =
            ContainerFiles.path(ContainerFixture.FOLDER, ContainerFixture.ID, 2);

    private static ContainerFixture sealed() throws IOException {
        ContainerFixture container = new ContainerFixture(AtRestChecksum.CRC32C);
        for (int i = 0; i < CHUNKS; i++) {
            container.append(200 + i);
        }
        container.open.seal(CHUNKS);
        return container;
    }

    private static ContainerContents compact(ContainerFixture container) throws IOException {
        DiskFile file = container.open.file();
        ContainerContents contents = SlotDirectory.load(file, container.header).orElseThrow();
        return new ContainerCompactor(container.disk, bytes -> {})
                .compact(file, contents, ContainerFixture.FOLDER, slot -> slot % 3 == 0);
    }

    private static void requireKept(FaultyDisk disk, Path path, boolean all) throws IOException {
        try (DiskFile file = disk.open(path)) {
            ContainerHeader header = ContainerHeader.read(file, path.toString());
            ContainerContents contents = SlotDirectory.load(file, header).orElseThrow();
            ContainerReader reader = new ContainerReader(file, contents);
            for (int slot = 0; slot < CHUNKS; slot++) {
                if (slot % 3 == 0) {
                    assertThat(reader.read(slot).stored())
                            .isEqualTo(ByteBuffer.wrap(ContainerFixture.chunk(slot, 200 + slot)));
                } else {
                    assertThat(contents.table().find(slot) >= 0).isEqualTo(all);
                }
            }
            assertThat(contents.slots()).isEqualTo(CHUNKS);
        }
    }

    @Test
    void keepsWhatIsNeededUnderItsAddressInTheNextGeneration() throws IOException {
        ContainerFixture container = sealed();
        ContainerContents compacted = compact(container);
        assertThat(compacted.header().generation()).isEqualTo(2);
        assertThat(compacted.table().size()).isEqualTo(7);
        requireKept(container.disk, TARGET, false);
        requireKept(container.disk, container.path, true);
    }

    @Test
    void aCrashAtAnyStepLeavesOneWholeGeneration() throws IOException {
        int steps = changesOfOneCompaction();
        for (int step = 0; step < steps; step++) {
            for (int seed = 0; seed < 8; seed++) {
                ContainerFixture container = sealed();
                container.disk.dieAfter(step);
                assertThatThrownBy(() -> compact(container)).isInstanceOf(IOException.class);
                FaultyDisk after = container.disk.crash(seed);
                requireKept(after, container.path, true);
                if (after.exists(TARGET)) {
                    requireKept(after, TARGET, false);
                }
            }
        }
        ContainerFixture container = sealed();
        compact(container);
        requireKept(container.disk.crash(1), TARGET, false);
    }

    private static int changesOfOneCompaction() throws IOException {
        ContainerFixture container = sealed();
        int before = container.disk.changes();
        compact(container);
        return container.disk.changes() - before;
    }

    @Test
    void aFullDiskCostsNothingAndLeavesNothing() throws IOException {
        ContainerFixture container = sealed();
        container.disk.capacity(container.bytes().length + 5000L);
        assertThatThrownBy(() -> compact(container)).isInstanceOf(NoSpaceException.class);
        assertThat(container.disk.files()).containsExactly(container.path);
        requireKept(container.disk, container.path, true);
    }

    @Test
    void aDamagedRecordIsKeptAsItIs() throws IOException {
        ContainerFixture container = sealed();
        byte[] damaged = container.bytes();
        damaged[(int) container.open.table().offset(3) + 150] ^= 1;
        container.disk.overwrite(container.path, damaged);
        compact(container);
        try (DiskFile file = container.disk.open(TARGET)) {
            ContainerHeader header = ContainerHeader.read(file, "compacted");
            ContainerReader reader =
                    new ContainerReader(file, SlotDirectory.load(file, header).orElseThrow());
            assertThatThrownBy(() -> reader.read(3)).hasMessageContaining("checksum");
            assertThat(reader.read(6).header().slot()).isEqualTo(6);
        }
    }
}
