package io.dedupstore.core.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The file systems of this machine. */
public final class LocalDisk implements Disk {
    private static final int MAX_CALL_BYTES = 1 << 20;

    @Override
    public DiskFile create(Path file) throws IOException {
        return open(
                file,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    @Override
    public DiskFile open(Path file) throws IOException {
        return open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    @Override
    public DiskFile openForReading(Path file) throws IOException {
        return open(file, StandardOpenOption.READ);
    }

    private static DiskFile open(Path file, OpenOption... options) throws IOException {
        try {
            return new LocalFile(file, FileChannel.open(file, options));
        } catch (IOException e) {
            throw translated(file, e);
        }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        try {
            Files.move(
                    from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw translated(to, e);
        }
    }

    @Override
    public void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }

    @Override
    public boolean exists(Path file) {
        return Files.exists(file);
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.sorted().toList();
        }
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        Deque<Path> missing = new ArrayDeque<>();
        @Nullable Path at = directory.toAbsolutePath();
        while (at != null && !Files.isDirectory(at)) {
            missing.push(at);
            at = at.getParent();
        }
        Files.createDirectories(directory);
        for (Path created : missing) {
            Path parent = created.getParent();
            if (parent != null) {
                syncDirectory(parent);
            }
        }
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public long usableBytes(Path directory) throws IOException {
        // Not by Files.getFileStore: it looks for the mount point, which a chroot may not show.
        long bytes = directory.toFile().getUsableSpace();
        if (bytes == 0 && !Files.isDirectory(directory)) {
            throw new NoSuchFileException(directory.toString());
        }
        return bytes;
    }

    /** The JDK tells a full file system only by the system's message. */
    private static IOException translated(Path file, IOException e) {
        String reason = e instanceof FileSystemException f ? f.getReason() : e.getMessage();
        String text = reason == null ? "" : reason.toLowerCase(Locale.ROOT);
        boolean full = text.contains("no space left") || text.contains("quota exceeded");
        return full ? new NoSpaceException("no space left for " + file, e) : e;
    }

    private record LocalFile(Path path, FileChannel channel) implements DiskFile {
        @Override
        public int read(ByteBuffer target, long offset) throws IOException {
            int total = 0;
            while (target.hasRemaining()) {
                int n = channel.read(target, offset + total);
                if (n < 0) {
                    break;
                }
                total += n;
            }
            return total;
        }

        @Override
        public void write(ByteBuffer source, long offset) throws IOException {
            long at = offset;
            int limit = source.limit();
            try {
                while (source.position() < limit) {
                    source.limit(Math.min(limit, source.position() + MAX_CALL_BYTES));
                    at += channel.write(source, at);
                }
            } catch (IOException e) {
                throw translated(path, e);
            } finally {
                source.limit(limit);
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            channel.truncate(size);
        }

        @Override
        public void sync() throws IOException {
            try {
                channel.force(false);
            } catch (IOException e) {
                throw translated(path, e);
            }
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
