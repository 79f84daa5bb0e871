package io.dedupstore.core.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.checksum.AtRestChecksum;
import io.dedupstore.core.io.DiskFile;
import io.dedupstore.core.io.FaultyDisk;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.DomainId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContainerDamageTest {
    private static final int CHUNKS = 5;
    private static final int LENGTH = 61;

    private static ContainerFixture filled(AtRestChecksum checksum) throws IOException {
        ContainerFixture container = new ContainerFixture(checksum);
        for (int i = 0; i < CHUNKS; i++) {
            container.append(LENGTH);
        }
        return container;
    }

    private static ContainerScanner.Found scan(byte[] bytes) throws IOException {
        FaultyDisk disk = new FaultyDisk();
        try (DiskFile file = disk.open(ContainerFixture.put(disk, bytes))) {
            return ContainerScanner.scan(file, ContainerHeader.read(file, "copy"), Long.MAX_VALUE);
        }
    }

    @Test
    void aTornTailCostsOnlyTheRecordItCuts() throws IOException {
        ContainerFixture container = filled(AtRestChecksum.CRC32C);
        byte[] whole = container.bytes();
        SlotTable table = container.open.table();
        for (int length = ContainerHeader.BYTES; length <= whole.length; length++) {
            ContainerScanner.Found found = scan(Arrays.copyOf(whole, length));
            int complete = 0;
            while (complete < CHUNKS
                    && table.offset(complete) + table.recordLength(complete) <= length) {
                complete++;
            }
            assertThat(found.contents().table().size()).as("cut at %d", length).isEqualTo(complete);
            assertThat(found.tailBytes()).isEqualTo(length - found.contents().dataEnd());
            assertThat(found.missingBytes()).isZero();
        }
    }

    @Test
    void aTornTailFilledWithZerosOrRubbishIsCutOff() throws IOException {
        ContainerFixture container = filled(AtRestChecksum.CRC32C);
        byte[] whole = container.bytes();
        long end = container.open.table().offset(CHUNKS - 1);
        for (int filler : new int[] {0, 0x44}) {
            byte[] torn = whole.clone();
            Arrays.fill(torn, (int) end + 20, torn.length, (byte) filler);
            ContainerScanner.Found found = scan(Arrays.copyOf(torn, torn.length + 5000));
            assertThat(found.contents().table().size()).isEqualTo(CHUNKS - 1);
            assertThat(found.contents().dataEnd()).isEqualTo(end);
        }
    }

    @ParameterizedTest
    @EnumSource(AtRestChecksum.class)
    void aFlippedBitAnywhereInARecordIsDetectedAndCostsNoOther(AtRestChecksum checksum)
            throws IOException {
        ContainerFixture container = filled(checksum);
        byte[] whole = container.bytes();
        SlotTable table = container.open.table();
        int from = (int) table.offset(2);
        for (int at = from; at < from + table.recordLength(2); at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 << at % 8);
            ContainerScanner.Found found = scan(damaged);
            assertThat(found.contents().table().size())
                    .as("byte %d flipped", at)
                    .isEqualTo(CHUNKS - 1);
            assertThat(found.contents().table().find(2)).isNegative();
            assertThat(found.missingBytes()).isEqualTo(table.recordLength(2));
            FaultyDisk disk = new FaultyDisk();
            try (DiskFile file = disk.open(ContainerFixture.put(disk, damaged))) {
                ContainerContents contents =
                        new ContainerContents(
                                container.header, table, CHUNKS, container.open.end());
                ContainerReader reader = new ContainerReader(file, contents);
                assertThatThrownBy(() -> reader.read(2))
                        .isInstanceOfSatisfying(
                                ContainerException.class,
                                e ->
                                        assertThat(e.code())
                                                .isEqualTo(ContainerException.Code.DAMAGED));
                assertThat(reader.read(1).header().slot()).isEqualTo(1);
            }
        }
    }

    @Test
    void aFlippedBitInOneHeaderCopyIsHealedByTheOther() throws IOException {
        byte[] whole = filled(AtRestChecksum.CRC32C).bytes();
        for (int at = 0; at < 64; at++) {
            for (int copy : new int[] {0, 2048}) {
                byte[] damaged = whole.clone();
                damaged[copy + at] ^= 0x10;
                assertThat(scan(damaged).contents().table().size()).isEqualTo(CHUNKS);
            }
        }
    }

    @Test
    void aFlippedBitInDirectoryOrFooterIsNoticedAndTheScanFindsAll() throws IOException {
        ContainerFixture container = filled(AtRestChecksum.CRC32C);
        container.open.seal(CHUNKS);
        byte[] whole = container.bytes();
        for (int at = (int) container.open.end(); at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 << at % 8);
            FaultyDisk disk = new FaultyDisk();
            try (DiskFile file = disk.open(ContainerFixture.put(disk, damaged))) {
                Optional<ContainerContents> loaded =
                        SlotDirectory.load(file, ContainerHeader.read(file, "copy"));
                assertThat(loaded).as("byte %d flipped", at).isEmpty();
            }
            ContainerScanner.Found found = scan(damaged);
            assertThat(found.contents().table().size()).isEqualTo(CHUNKS);
            assertThat(found.contents().dataEnd()).isEqualTo(container.open.end());
        }
    }

    @Test
    void swappedRecordsAreNotTakenForEachOther() throws IOException {
        ContainerFixture container = filled(AtRestChecksum.CRC32C);
        byte[] swapped = container.bytes();
        SlotTable table = container.open.table();
        int length = table.recordLength(1);
        System.arraycopy(
                container.bytes(), (int) table.offset(1), swapped, (int) table.offset(2), length);
        System.arraycopy(
                container.bytes(), (int) table.offset(2), swapped, (int) table.offset(1), length);
        FaultyDisk disk = new FaultyDisk();
        try (DiskFile file = disk.open(ContainerFixture.put(disk, swapped))) {
            ContainerContents contents =
                    new ContainerContents(container.header, table, CHUNKS, container.open.end());
            assertThatThrownBy(() -> new ContainerReader(file, contents).read(1))
                    .hasMessageContaining("of slot 2");
        }
        ContainerScanner.Found found = scan(swapped);
        assertThat(found.contents().table().find(2)).isNotNegative();
        assertThat(found.contents().table().find(1)).isNegative();
    }

    @Test
    void aRecordOfAnotherContainerIsRefused() throws IOException {
        ContainerFixture container = filled(AtRestChecksum.CRC32C);
        SlotTable table = container.open.table();
        ByteBuffer record =
                ByteBuffer.wrap(container.bytes())
                        .slice((int) table.offset(0), table.recordLength(0));
        assertThatThrownBy(() -> RecordCodec.verify(record, new ContainerId(77)))
                .hasMessageContaining("belongs to container");
    }

    @Test
    void anUploadedImitationIsNeverTakenForARecord() throws IOException {
        ContainerFixture victim = filled(AtRestChecksum.CRC32C);
        // All is guessed right but the nonce: the same id, the next slot, a good checksum.
        ContainerHeader guessed =
                new ContainerHeader(
                        victim.header.id(), 1, AtRestChecksum.CRC32C, 0x1122334455667789L, 3, 7, 0);
        ContainerWriter forger = new ContainerWriter(guessed, 1 << 20);
        ByteBuffer forged = ContainerWriter.newWindow(0);
        for (int i = 0; i < CHUNKS + 1; i++) {
            forged.clear();
            forger.add(
                    ContainerFixture.FIRST_V,
                    new DomainId(9),
                    ContainerFixture.fingerprint(i),
                    0,
                    0,
                    0,
                    4,
                    ByteBuffer.wrap(new byte[] {6, 6, 6, 6}),
                    forged);
        }
        byte[] bytes = new byte[forged.flip().remaining()];
        forged.get(bytes);
        byte[] whole = victim.bytes();
        byte[] withForgery = Arrays.copyOf(whole, whole.length + bytes.length);
        System.arraycopy(bytes, 0, withForgery, whole.length, bytes.length);
        ContainerScanner.Found found = scan(withForgery);
        assertThat(found.contents().table().size()).isEqualTo(CHUNKS);
        assertThat(found.tailBytes()).isEqualTo(bytes.length);
    }

    @Test
    void aNewerFileFormatIsRefusedByName() throws IOException {
        byte[] newer = filled(AtRestChecksum.CRC32C).bytes();
        ByteBuffer file = ByteBuffer.wrap(newer).order(ByteOrder.LITTLE_ENDIAN);
        for (int copy : new int[] {0, 2048}) {
            file.putShort(copy + 8, (short) 2);
            file.putInt(copy + 60, ContainerFormat.crc(file, copy, 60));
        }
        assertThatThrownBy(() -> scan(newer))
                .hasMessageContaining("container format 2, this release reads up to 1")
                .isInstanceOfSatisfying(
                        ContainerException.class,
                        e -> assertThat(e.code()).isEqualTo(ContainerException.Code.UNSUPPORTED));
    }
}
