package io.dedupstore.client.estimate;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * All regular files below a directory. Symbolic links are not followed, but for the directory
 * itself; a file with several names counts for each, as it would when uploaded.
 */
public final class DirectoryData implements DataSet {
    private final Path root;

    /**
     * @throws IOException it is not a directory that can be read
     */
    public DirectoryData(Path root) throws IOException {
        if (!Files.exists(root)) {
            throw new NoSuchFileException(root + ": there is no such directory");
        }
        if (!Files.isDirectory(root)) {
            throw new NotDirectoryException(root + " is not a directory");
        }
        this.root = root.toRealPath();
    }

    @Override
    public String describe() {
        return root.toString();
    }

    @Override
    public void list(ItemSink sink) throws IOException {
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        if (!attributes.isRegularFile()) {
                            return FileVisitResult.CONTINUE;
                        }
                        String name = root.relativize(file).toString();
                        boolean more = sink.accept(new DataItem(name, attributes.size(), file));
                        return more ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException e)
                            throws IOException {
                        if (file.equals(root)) {
                            throw e;
                        }
                        sink.skipped(e.toString());
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path directory, IOException e) {
                        if (e != null) {
                            sink.skipped(directory + ": " + e);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    @Override
    public InputStream open(DataItem item, long from, long to) throws IOException {
        FileChannel file = FileChannel.open((Path) item.handle(), StandardOpenOption.READ);
        try {
            file.position(from);
            return new LimitedStream(Channels.newInputStream(file), to - from);
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    @Override
    public void close() {}
}
