package io.dedupstore.core.io;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The port to a file system, so that tests can put one under the store that forgets, tears and
 * fails. Blocking; any number of threads, platform ones only.
 *
 * <p>A change of a directory (a file created, renamed or deleted) survives a crash only after
 * {@link #syncDirectory}; a change of a file only after {@link DiskFile#sync}.
 */
public interface Disk {
    /** Creates a file that must not exist yet and opens it for reading and writing. */
    DiskFile create(Path file) throws IOException;

    /** Opens an existing file for reading and writing. */
    DiskFile open(Path file) throws IOException;

    /** Opens an existing file for reading. */
    DiskFile openForReading(Path file) throws IOException;

    /** Atomically gives {@code from} the name {@code to}, replacing what was there. */
    void rename(Path from, Path to) throws IOException;

    /** Removes a file; it may be gone already, and may still be open. */
    void delete(Path file) throws IOException;

    boolean exists(Path file) throws IOException;

    /** What is in a directory, in ascending order; empty when there is no such directory. */
    List<Path> list(Path directory) throws IOException;

    /** Creates a directory and its missing parents; durable on return. */
    void createDirectories(Path directory) throws IOException;

    /** Makes the names in a directory durable. */
    void syncDirectory(Path directory) throws IOException;

    /** Bytes this process may still write on the file system that holds {@code directory}. */
    long usableBytes(Path directory) throws IOException;
}
