package io.dedupstore.core.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FaultyDiskTest {
    private static final Path FOLDER = Path.of("/d");
    private static final Path FILE = FOLDER.resolve("file");

    private final FaultyDisk disk = new FaultyDisk();

    @Test
    void syncedBytesUnderASyncedNameSurviveEveryCrash() throws IOException {
        DiskFile file = disk.create(FILE);
        file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);
        file.sync();
        disk.syncDirectory(FOLDER);
        file.write(ByteBuffer.wrap(new byte[] {4, 5, 6}), 3);
        for (int seed = 0; seed < 50; seed++) {
            assertThat(disk.crash(seed).bytes(FILE)).startsWith(1, 2, 3);
        }
    }

    @Test
    void unsyncedBytesSurviveWhollyInPartOrNotAtAll() throws IOException {
        DiskFile file = disk.create(FILE);
        disk.syncDirectory(FOLDER);
        file.write(ByteBuffer.wrap(new byte[2000]), 0);
        Set<Integer> lengths = new HashSet<>();
        for (int seed = 0; seed < 200; seed++) {
            lengths.add(disk.crash(seed).bytes(FILE).length);
        }
        assertThat(lengths).contains(0, 2000).hasSizeGreaterThan(10);
    }

    @Test
    void anUnsyncedRenameSurvivesOrNot() throws IOException {
        disk.create(FILE).sync();
        disk.syncDirectory(FOLDER);
        Path renamed = FOLDER.resolve("renamed");
        disk.rename(FILE, renamed);
        Set<Boolean> there = new HashSet<>();
        for (int seed = 0; seed < 50; seed++) {
            there.add(disk.crash(seed).exists(renamed));
        }
        assertThat(there).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void afterAFailedSyncALaterOneProvesNothing() throws IOException {
        DiskFile file = disk.create(FILE);
        disk.syncDirectory(FOLDER);
        file.write(ByteBuffer.wrap(new byte[] {1}), 0);
        disk.hook(
                (operation, path) -> {
                    if (operation == FaultyDisk.Operation.SYNC) {
                        throw new IOException("input/output error");
                    }
                });
        assertThatThrownBy(file::sync).isInstanceOf(IOException.class);
        disk.hook((operation, path) -> {});
        file.sync();
        assertThat(disk.bytes(FILE)).containsExactly(1);
        assertThat(disk.crash(1).bytes(FILE)).isEmpty();
    }

    @Test
    void aFullDiskTakesWhatFits() throws IOException {
        disk.capacity(5);
        DiskFile file = disk.create(FILE);
        assertThatThrownBy(() -> file.write(ByteBuffer.wrap(new byte[8]), 0))
                .isInstanceOf(NoSpaceException.class);
        assertThat(disk.bytes(FILE)).hasSize(5);
        assertThat(disk.usableBytes(FOLDER)).isZero();
    }
}
