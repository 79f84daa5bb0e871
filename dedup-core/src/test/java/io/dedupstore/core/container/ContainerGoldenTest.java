package io.dedupstore.core.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.checksum.AtRestChecksum;
import io.dedupstore.core.io.DiskFile;
import io.dedupstore.core.io.FaultyDisk;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Holds the format to the bytes of docs/formats/container.md, version 1. */
class ContainerGoldenTest {
    private static final int[] LENGTHS = {1, 100, 777};

    @ParameterizedTest
    @EnumSource(AtRestChecksum.class)
    void writesTheBytesOfVersionOne(AtRestChecksum checksum) throws IOException {
        ContainerFixture container = new ContainerFixture(checksum);
        for (int length : LENGTHS) {
            container.append(length);
        }
        container.open.seal(LENGTHS.length);
        byte[] actual = container.bytes();
        // For a look at a difference; the golden file itself is never written by a test.
        Path copy = Path.of("target", "golden", name(checksum));
        Files.createDirectories(copy.getParent());
        Files.write(copy, actual);
        assertThat(actual).isEqualTo(golden(checksum));
    }

    @ParameterizedTest
    @EnumSource(AtRestChecksum.class)
    void readsTheBytesOfVersionOne(AtRestChecksum checksum) throws IOException {
        FaultyDisk disk = new FaultyDisk();
        try (DiskFile file = disk.open(ContainerFixture.put(disk, golden(checksum)))) {
            ContainerHeader header = ContainerHeader.read(file, "golden");
            assertThat(header.id()).isEqualTo(ContainerFixture.ID);
            assertThat(header.checksum()).isEqualTo(checksum);
            ContainerContents contents = SlotDirectory.load(file, header).orElseThrow();
            assertThat(contents.slots()).isEqualTo(LENGTHS.length);
            ContainerReader reader = new ContainerReader(file, contents);
            for (int slot = 0; slot < LENGTHS.length; slot++) {
                RecordCodec.Verified record = reader.read(slot);
                assertThat(record.header().fingerprint())
                        .isEqualTo(ContainerFixture.fingerprint(slot));
                assertThat(record.header().length()).isEqualTo(LENGTHS[slot]);
                assertThat(record.header().domain().value()).isEqualTo(9);
                assertThat(record.header().v().counter()).isEqualTo(100 + slot);
                assertThat(record.stored())
                        .isEqualTo(ByteBuffer.wrap(ContainerFixture.chunk(slot, LENGTHS[slot])));
            }
        }
    }

    private static String name(AtRestChecksum checksum) {
        return "container-1-" + checksum.format() + ".bin";
    }

    private static byte[] golden(AtRestChecksum checksum) throws IOException {
        String resource = "/formats/" + name(checksum);
        try (InputStream in = ContainerGoldenTest.class.getResourceAsStream(resource)) {
            return in == null ? new byte[0] : in.readAllBytes();
        }
    }
}
