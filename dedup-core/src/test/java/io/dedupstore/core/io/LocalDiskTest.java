package io.dedupstore.core.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalDiskTest {
    @TempDir Path folder;

    private final Disk disk = new LocalDisk();

    @Test
    void readsBackWhatWasWrittenInMoreThanOneCall() throws IOException {
        byte[] bytes = new byte[(3 << 20) + 17];
        new Random(1).nextBytes(bytes);
        Path path = folder.resolve("file");
        try (DiskFile file = disk.create(path)) {
            ByteBuffer source = ByteBuffer.wrap(bytes);
            file.write(source, 5);
            assertThat(source.hasRemaining()).isFalse();
            file.sync();
            assertThat(file.size()).isEqualTo(bytes.length + 5L);
            ByteBuffer target = ByteBuffer.allocateDirect(bytes.length + 100);
            assertThat(file.read(target, 5)).isEqualTo(bytes.length);
            byte[] read = new byte[bytes.length];
            target.flip().get(read);
            assertThat(read).isEqualTo(bytes);
            assertThat(file.read(ByteBuffer.allocate(1), bytes.length + 5L)).isZero();
            file.truncate(3);
            assertThat(file.size()).isEqualTo(3);
        }
    }

    @Test
    void refusesToCreateOverAnExistingFileAndToOpenAMissingOne() throws IOException {
        Path path = folder.resolve("file");
        disk.create(path).close();
        assertThatThrownBy(() -> disk.create(path)).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> disk.open(folder.resolve("other")))
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void renamesOverAnExistingFileAndDeletesTwice() throws IOException {
        Path from = folder.resolve("from");
        Path to = folder.resolve("to");
        disk.create(from).close();
        disk.create(to).close();
        disk.rename(from, to);
        disk.syncDirectory(folder);
        assertThat(disk.list(folder)).containsExactly(to);
        disk.delete(to);
        disk.delete(to);
        assertThat(disk.exists(to)).isFalse();
    }

    @Test
    void createsFoldersWithTheirParents() throws IOException {
        Path deep = folder.resolve("a/b/c");
        disk.createDirectories(deep);
        disk.createDirectories(deep);
        assertThat(disk.list(folder.resolve("a/b"))).containsExactly(deep);
        assertThat(disk.list(deep)).isEmpty();
        assertThat(disk.list(folder.resolve("none"))).isEmpty();
        assertThat(disk.usableBytes(deep)).isPositive();
        assertThatThrownBy(() -> disk.usableBytes(deep.resolve("none")))
                .isInstanceOf(NoSuchFileException.class);
    }
}
