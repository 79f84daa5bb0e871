package io.dedupstore.core.io;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A file system in memory that can lose power. It keeps what was written and renamed since the last
 * sync as a list of operations; {@link #crash} keeps a random part of it, as a real disk would: any
 * subset of the writes, each possibly torn, and the first so many changes of names.
 *
 * <p>Faults are injected by a hook that is asked before every operation. A failed sync forgets what
 * it should have written, as Linux does: later reads may still see it, a crash does not.
 * Thread-safe.
 */
public final class FaultyDisk implements Disk {
    /** What the hook is asked about. */
    public enum Operation {
        CREATE,
        OPEN,
        READ,
        WRITE,
        TRUNCATE,
        SYNC,
        RENAME,
        DELETE,
        SYNC_DIRECTORY;

        boolean changes() {
            return this != READ && this != OPEN;
        }
    }

    /** Throws to let an operation fail. Called without any lock held, so it may wait. */
    @FunctionalInterface
    public interface Hook {
        void before(Operation operation, Path path) throws IOException;
    }

    private static final int SECTOR_BYTES = 512;

    private final Map<Path, Inode> names = new TreeMap<>();
    private final Map<Path, Inode> durableNames = new TreeMap<>();
    private final List<NameChange> nameChanges = new ArrayList<>();
    private final TreeSet<Path> directories = new TreeSet<>();
    private Hook hook = (operation, path) -> {};
    private long capacityBytes = Long.MAX_VALUE / 2;
    private long usedBytes;
    private int operationsLeft = Integer.MAX_VALUE;
    private int changes;

    /** A name that got a file, or lost it (null). */
    private record NameChange(Path directory, Path name, @Nullable Inode file) {}

    private sealed interface Change {
        record Write(long offset, byte[] bytes) implements Change {}

        record Truncate(long size) implements Change {}
    }

    private static final class Inode {
        private byte[] durable = new byte[0];
        private byte[] current = new byte[0];
        private final List<Change> unsynced = new ArrayList<>();
    }

    public synchronized void hook(Hook newHook) {
        hook = newHook;
    }

    /** Bytes all files together may take. */
    public synchronized void capacity(long bytes) {
        capacityBytes = bytes;
    }

    /** After so many more changing operations everything fails: the machine is off. */
    public synchronized void dieAfter(int operations) {
        operationsLeft = operations;
    }

    public synchronized boolean isDead() {
        return operationsLeft < 0;
    }

    /** Changing operations so far. */
    public synchronized int changes() {
        return changes;
    }

    /** What is found after a power failure now. This disk must not be used any more. */
    public synchronized FaultyDisk crash(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FaultyDisk after = new FaultyDisk();
        after.directories.addAll(directories);
        int kept = nameChanges.isEmpty() ? 0 : random.nextInt(nameChanges.size() + 1);
        Map<Path, Inode> survivors = new TreeMap<>(durableNames);
        nameChanges.subList(0, kept).forEach(change -> apply(survivors, change));
        survivors.forEach(
                (path, inode) -> {
                    Inode file = new Inode();
                    file.durable = survive(inode, random);
                    file.current = file.durable.clone();
                    after.names.put(path, file);
                    after.durableNames.put(path, file);
                    after.usedBytes += file.current.length;
                });
        return after;
    }

    private static byte[] survive(Inode inode, SplittableRandom random) {
        byte[] bytes = inode.durable;
        for (Change change : inode.unsynced) {
            bytes =
                    switch (change) {
                        case Change.Truncate t ->
                                random.nextBoolean()
                                        ? Arrays.copyOf(bytes, Math.toIntExact(t.size()))
                                        : bytes;
                        case Change.Write w -> torn(bytes, w, random);
                    };
        }
        return bytes;
    }

    private static byte[] torn(byte[] bytes, Change.Write write, SplittableRandom random) {
        int length = write.bytes().length;
        return switch (random.nextInt(4)) {
            case 0 -> bytes;
            case 1 -> write(bytes, write.offset(), write.bytes(), 0, length);
            case 2 -> write(bytes, write.offset(), write.bytes(), 0, random.nextInt(length + 1));
            default -> {
                byte[] result = bytes;
                for (int at = 0; at < length; at += SECTOR_BYTES) {
                    if (random.nextBoolean()) {
                        int part = Math.min(SECTOR_BYTES, length - at);
                        result = write(result, write.offset() + at, write.bytes(), at, part);
                    }
                }
                yield result;
            }
        };
    }

    private static byte[] write(byte[] into, long offset, byte[] from, int start, int length) {
        int end = Math.toIntExact(offset) + length;
        byte[] result = into.length >= end ? into.clone() : Arrays.copyOf(into, end);
        System.arraycopy(from, start, result, (int) offset, length);
        return result;
    }

    private static void apply(Map<Path, Inode> to, NameChange change) {
        if (change.file() == null) {
            to.remove(change.name());
        } else {
            to.put(change.name(), change.file());
        }
    }

    // ---- access for tests ----

    /** Content of a file as programs see it now. */
    public synchronized byte[] bytes(Path path) throws IOException {
        return inode(path).current.clone();
    }

    /** Changes a file behind everybody's back, durably. */
    public synchronized void overwrite(Path path, byte[] bytes) throws IOException {
        Inode inode = inode(path);
        inode.current = bytes.clone();
        inode.durable = bytes.clone();
        inode.unsynced.clear();
    }

    /** All files, ascending. */
    public synchronized List<Path> files() {
        return List.copyOf(names.keySet());
    }

    // ---- Disk ----

    private void ask(Operation operation, Path path) throws IOException {
        Hook asked;
        synchronized (this) {
            if (operation.changes()) {
                changes++;
                if (operationsLeft < Integer.MAX_VALUE && --operationsLeft < 0) {
                    operationsLeft = -1;
                }
            }
            if (isDead()) {
                throw new IOException("the machine is off");
            }
            asked = hook;
        }
        asked.before(operation, path);
    }

    private Inode inode(Path path) throws IOException {
        Inode inode = names.get(path);
        if (inode == null) {
            throw new FileNotFoundException(path.toString());
        }
        return inode;
    }

    private void change(Path name, @Nullable Inode file) {
        NameChange change = new NameChange(name.getParent(), name, file);
        apply(names, change);
        nameChanges.add(change);
    }

    @Override
    public DiskFile create(Path file) throws IOException {
        ask(Operation.CREATE, file);
        synchronized (this) {
            if (names.containsKey(file)) {
                throw new FileAlreadyExistsException(file.toString());
            }
            Inode inode = new Inode();
            change(file, inode);
            return new OpenFile(file, inode);
        }
    }

    @Override
    public DiskFile open(Path file) throws IOException {
        return openForReading(file);
    }

    @Override
    public DiskFile openForReading(Path file) throws IOException {
        ask(Operation.OPEN, file);
        synchronized (this) {
            return new OpenFile(file, inode(file));
        }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        ask(Operation.RENAME, to);
        synchronized (this) {
            Inode inode = inode(from);
            change(to, inode);
            change(from, null);
        }
    }

    @Override
    public void delete(Path file) throws IOException {
        ask(Operation.DELETE, file);
        synchronized (this) {
            Inode inode = names.get(file);
            if (inode != null) {
                usedBytes -= inode.current.length;
                change(file, null);
            }
        }
    }

    @Override
    public synchronized boolean exists(Path file) {
        return names.containsKey(file);
    }

    @Override
    public synchronized List<Path> list(Path directory) {
        TreeSet<Path> entries = new TreeSet<>();
        for (TreeSet<Path> all : List.of(new TreeSet<>(names.keySet()), directories)) {
            for (Path path : all) {
                if (directory.equals(path.getParent())) {
                    entries.add(path);
                }
            }
        }
        return List.copyOf(entries);
    }

    @Override
    public synchronized void createDirectories(Path directory) {
        for (Path at = directory; at != null; at = at.getParent()) {
            directories.add(at);
        }
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        ask(Operation.SYNC_DIRECTORY, directory);
        synchronized (this) {
            Iterator<NameChange> pending = nameChanges.iterator();
            while (pending.hasNext()) {
                NameChange change = pending.next();
                if (directory.equals(change.directory())) {
                    apply(durableNames, change);
                    pending.remove();
                }
            }
        }
    }

    @Override
    public synchronized long usableBytes(Path directory) {
        return Math.max(0, capacityBytes - usedBytes);
    }

    private final class OpenFile implements DiskFile {
        private final Path path;
        private final Inode inode;
        private boolean closed;

        private OpenFile(Path path, Inode inode) {
            this.path = path;
            this.inode = inode;
        }

        private void requireOpen() throws IOException {
            if (closed) {
                throw new IOException(path + " was closed");
            }
        }

        @Override
        public int read(ByteBuffer target, long offset) throws IOException {
            ask(Operation.READ, path);
            synchronized (FaultyDisk.this) {
                requireOpen();
                int from = (int) Math.min(offset, inode.current.length);
                int length = Math.min(target.remaining(), inode.current.length - from);
                target.put(inode.current, from, length);
                return length;
            }
        }

        @Override
        public void write(ByteBuffer source, long offset) throws IOException {
            byte[] bytes = new byte[source.remaining()];
            source.get(bytes);
            try {
                ask(Operation.WRITE, path);
            } catch (IOException e) {
                // Some of it may have got through.
                apply(Arrays.copyOf(bytes, bytes.length / 2), offset);
                throw e;
            }
            apply(bytes, offset);
        }

        private void apply(byte[] bytes, long offset) throws IOException {
            synchronized (FaultyDisk.this) {
                requireOpen();
                long room = capacityBytes - usedBytes;
                long growth = Math.max(0, offset + bytes.length - inode.current.length);
                byte[] fitting =
                        growth <= room
                                ? bytes
                                : Arrays.copyOf(
                                        bytes,
                                        (int)
                                                Math.max(
                                                        0,
                                                        bytes.length - growth + Math.max(0, room)));
                if (!isDead() && fitting.length > 0) {
                    usedBytes += Math.min(growth, Math.max(0, room));
                    inode.current =
                            FaultyDisk.write(inode.current, offset, fitting, 0, fitting.length);
                    inode.unsynced.add(new Change.Write(offset, fitting));
                }
                if (fitting.length < bytes.length) {
                    throw new NoSpaceException("no space left for " + path);
                }
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            ask(Operation.TRUNCATE, path);
            synchronized (FaultyDisk.this) {
                requireOpen();
                if (size < inode.current.length) {
                    usedBytes -= inode.current.length - size;
                    inode.current = Arrays.copyOf(inode.current, (int) size);
                    inode.unsynced.add(new Change.Truncate(size));
                }
            }
        }

        @Override
        public void sync() throws IOException {
            List<Change> covered;
            synchronized (FaultyDisk.this) {
                requireOpen();
                covered = List.copyOf(inode.unsynced);
            }
            try {
                ask(Operation.SYNC, path);
            } catch (IOException e) {
                synchronized (FaultyDisk.this) {
                    // The pages count as clean now: no later sync writes them.
                    if (!isDead()) {
                        inode.unsynced.removeAll(covered);
                    }
                }
                throw e;
            }
            synchronized (FaultyDisk.this) {
                for (Change change : covered) {
                    inode.durable =
                            switch (change) {
                                case Change.Write w ->
                                        FaultyDisk.write(
                                                inode.durable,
                                                w.offset(),
                                                w.bytes(),
                                                0,
                                                w.bytes().length);
                                case Change.Truncate t ->
                                        Arrays.copyOf(
                                                inode.durable,
                                                (int) Math.min(t.size(), inode.durable.length));
                            };
                    inode.unsynced.remove(change);
                }
            }
        }

        @Override
        public long size() throws IOException {
            synchronized (FaultyDisk.this) {
                requireOpen();
                return inode.current.length;
            }
        }

        @Override
        public void close() {
            synchronized (FaultyDisk.this) {
                closed = true;
            }
        }
    }
}
