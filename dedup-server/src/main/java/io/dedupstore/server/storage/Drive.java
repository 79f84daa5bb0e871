package io.dedupstore.server.storage;

import io.dedupstore.core.io.Disk;
import io.dedupstore.core.io.DiskFile;
import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.kv.KvStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One drive: a folder with containers and, beside them, the store of their state. */
final class Drive {
    private static final String ID_FILE = "drive-id";
    private static final String ID_PREFIX = "dedupstore-drive 1 ";
    private static final int MAX_ID_BYTES = 256;
    private static final long RECHECK_BYTES = 64L << 20;
    private static final long RECHECK_NANOS = 1_000_000_000L;

    private final Path directory;
    private final Disk disk;
    private final KvStore kv;
    private final StateLog log;
    private final long minFreeBytes;
    private final AtomicLong writtenSinceCheck = new AtomicLong();
    private volatile long usableBytes;
    private volatile long checkedNanos;

    private Drive(Path directory, Disk disk, KvStore kv, long minFreeBytes) throws IOException {
        this.directory = directory;
        this.disk = disk;
        this.kv = kv;
        this.log = new StateLog(kv);
        this.minFreeBytes = minFreeBytes;
        this.checkedNanos = System.nanoTime();
        this.usableBytes = disk.usableBytes(directory);
    }

    /**
     * @throws IOException folder and store can't be read, or do not belong together
     */
    static Drive open(Path directory, Disk disk, KvStores stores, long minFreeBytes)
            throws IOException {
        disk.createDirectories(directory.resolve("containers"));
        KvStore kv = stores.open(directory.resolve("kv"), StateTables.ALL);
        try {
            Drive drive = new Drive(directory, disk, kv, minFreeBytes);
            drive.identify();
            return drive;
        } catch (IOException | RuntimeException e) {
            kv.close();
            throw e;
        }
    }

    /** Ties folder and store together, so that neither is ever used with another. */
    private void identify() throws IOException {
        byte[] format = kv.get(StateTables.NODE, StateTables.FORMAT_KEY);
        if (format != null && ByteBuffer.wrap(format).getInt() != StateTables.FORMAT) {
            throw new IOException(
                    "the state of drive %s has format %d, this release reads up to %d: use a newer release"
                            .formatted(
                                    directory,
                                    ByteBuffer.wrap(format).getInt(),
                                    StateTables.FORMAT));
        }
        @Nullable UUID stored = uuid(kv.get(StateTables.NODE, StateTables.ID_KEY));
        @Nullable String written = readId();
        if (stored != null && written != null && !written.equals(stored.toString())) {
            throw new IOException(
                    "drive %s is %s, but its state is of drive %s: they do not belong together"
                            .formatted(directory, written, stored));
        }
        boolean fresh = disk.list(containers()).isEmpty();
        if (!fresh && (stored == null || written == null)) {
            throw new IOException(
                    "drive %s has containers, but their state (or the file %s) is missing: restore it"
                                    .formatted(directory, ID_FILE)
                            + ", or remove the drive and let its containers be repaired");
        }
        if (stored == null || written == null) {
            writeId(stored != null ? stored : UUID.randomUUID());
        }
    }

    private void writeId(UUID id) throws IOException {
        byte[] bytes =
                ByteBuffer.allocate(16)
                        .putLong(id.getMostSignificantBits())
                        .putLong(id.getLeastSignificantBits())
                        .array();
        log.write(
                new KvBatch()
                        .put(StateTables.NODE, StateTables.ID_KEY, bytes)
                        .put(
                                StateTables.NODE,
                                StateTables.FORMAT_KEY,
                                StateTables.int4(StateTables.FORMAT)));
        Path unfinished = directory.resolve(ID_FILE + ".tmp");
        disk.delete(unfinished);
        try (DiskFile file = disk.create(unfinished)) {
            file.write(StandardCharsets.US_ASCII.encode(ID_PREFIX + id + "\n"), 0);
            file.sync();
        }
        disk.rename(unfinished, directory.resolve(ID_FILE));
        disk.syncDirectory(directory);
    }

    private @Nullable String readId() throws IOException {
        Path path = directory.resolve(ID_FILE);
        if (!disk.exists(path)) {
            return null;
        }
        try (DiskFile file = disk.openForReading(path)) {
            ByteBuffer in = ByteBuffer.allocate(MAX_ID_BYTES);
            file.read(in, 0);
            String text = StandardCharsets.US_ASCII.decode(in.flip()).toString().strip();
            if (!text.startsWith(ID_PREFIX)) {
                throw new IOException(path + " is not the id of a drive of this release");
            }
            return text.substring(ID_PREFIX.length());
        }
    }

    private static @Nullable UUID uuid(byte @Nullable [] bytes) {
        if (bytes == null) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new UUID(in.getLong(), in.getLong());
    }

    Path directory() {
        return directory;
    }

    Path containers() {
        return directory.resolve("containers");
    }

    KvStore kv() {
        return kv;
    }

    StateLog log() {
        return log;
    }

    boolean isFailed() {
        return log.isFailed();
    }

    int refusedEpoch() {
        byte[] value = kv.get(StateTables.NODE, StateTables.REFUSED_EPOCH_KEY);
        return value == null ? 0 : ByteBuffer.wrap(value).getInt();
    }

    void refuseEpoch(int epoch) {
        log.write(
                new KvBatch()
                        .put(
                                StateTables.NODE,
                                StateTables.REFUSED_EPOCH_KEY,
                                StateTables.int4(epoch)));
    }

    /** Free bytes, about a second or 64 MiB old at most. */
    long usableBytes() {
        long now = System.nanoTime();
        if (now - checkedNanos > RECHECK_NANOS || writtenSinceCheck.get() > RECHECK_BYTES) {
            writtenSinceCheck.set(0);
            checkedNanos = now;
            try {
                usableBytes = disk.usableBytes(directory);
            } catch (IOException e) {
                usableBytes = 0;
            }
        }
        return usableBytes;
    }

    void written(long bytes) {
        writtenSinceCheck.addAndGet(bytes);
    }

    /** Whether appends are taken: above the watermark, and the state can be written. */
    boolean hasRoom() {
        return usableBytes() > minFreeBytes && !isFailed();
    }

    /**
     * Half of the reserve below the watermark is compaction's, so that a full drive gets out again.
     */
    boolean hasRoomToCompact(long bytes) {
        return usableBytes() - bytes > minFreeBytes / 2 && !isFailed();
    }

    void close() {
        kv.close();
    }
}
