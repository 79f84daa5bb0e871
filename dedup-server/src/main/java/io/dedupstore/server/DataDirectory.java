package io.dedupstore.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The directory a node lives in, held by one process at a time, with the version of its layout
 * (docs/formats/data-directory.md). The lock vanishes with the process, however that ends.
 */
final class DataDirectory implements AutoCloseable {
    static final int LAYOUT_VERSION = 1;

    private final Path root;
    private final FileChannel lockFile;

    private DataDirectory(Path root, FileChannel lockFile) {
        this.root = root;
        this.lockFile = lockFile;
    }

    /**
     * @throws StartException another process holds it, or a newer release wrote it
     */
    static DataDirectory open(Path root) {
        try {
            Files.createDirectories(root);
            FileChannel lockFile =
                    FileChannel.open(
                            root.resolve("lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            if (tryLock(lockFile) == null) {
                lockFile.close();
                throw new StartException(
                        "another process is using "
                                + root
                                + "; stop it first, or name another directory");
            }
            DataDirectory directory = new DataDirectory(root, lockFile);
            directory.checkLayout();
            return directory;
        } catch (IOException e) {
            throw new StartException("cannot use " + root + ": " + e.getMessage(), e);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel file) throws IOException {
        try {
            return file.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    private void checkLayout() throws IOException {
        Path file = root.resolve("layout-version");
        if (!Files.exists(file)) {
            DurableFiles.replace(file, LAYOUT_VERSION + "\n", "rw-r--r--");
            return;
        }
        String text = Files.readString(file).strip();
        int version = text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : -1;
        if (version != LAYOUT_VERSION) {
            throw new StartException(
                    "%s has layout version '%s'; this release reads version %d. Start it with the release that wrote it."
                            .formatted(root, text, LAYOUT_VERSION));
        }
    }

    Path resolve(String name) {
        return root.resolve(name);
    }

    @Override
    public void close() {
        try {
            lockFile.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
