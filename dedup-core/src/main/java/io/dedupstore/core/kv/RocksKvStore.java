package io.dedupstore.core.kv;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * An ordered store in RocksDB: one column family for each table.
 *
 * <p>Native objects have no finalizers, and one that is freed while a thread is inside it crashes
 * the process. Therefore every call passes a {@link UseGate}: cursors and snapshots hold it until
 * they are closed, and {@link #close} waits for all of them before it frees anything; if one is not
 * given back within the deadline the memory is kept and the caller is told.
 *
 * <p>The first failed write, flush or background job makes the store refuse everything from then
 * on. What RocksDB might still be able to do after an error is not relied upon: its owner stops,
 * and the state is built anew from the last flushed position and the log.
 */
public final class RocksKvStore implements KvStore {
    private static final long CLOSE_TIMEOUT_MILLIS = 10_000;
    private static final String DEFAULT = "default";

    private final String name;
    private final WriteMode mode;
    private final RocksOptions options;
    private final ErrorListener errors;
    private final RocksDB database;
    private final Map<String, ColumnFamilyHandle> handles;
    private final WriteOptions writeOptions;
    private final UseGate gate = new UseGate();
    private final AtomicReference<@Nullable KvException> failure = new AtomicReference<>();
    private final RocksView view;
    private final TableFiles files;

    /** Failures of flushes and compactions, which no caller sees. */
    private static final class ErrorListener extends AbstractEventListener {
        private final AtomicReference<@Nullable String> first = new AtomicReference<>();

        ErrorListener() {
            super(EnabledEventCallback.ON_BACKGROUND_ERROR);
        }

        @Override
        public void onBackgroundError(BackgroundErrorReason reason, @Nullable Status status) {
            String state = status == null ? "unknown" : status.getCodeString();
            first.compareAndSet(null, reason + ": " + state);
        }
    }

    /**
     * Opens or creates a store; missing tables are created.
     *
     * @param resources shared by all stores of the process; outlives them
     * @throws KvException {@code INCOMPATIBLE} when there are tables this caller does not name
     */
    public static RocksKvStore open(
            Path directory, List<Table> tables, RocksResources resources, WriteMode mode) {
        RocksOptions options = new RocksOptions(resources);
        ErrorListener errors = new ErrorListener();
        try {
            Files.createDirectories(directory);
            refuseUnknownTables(directory, tables);
            return new RocksKvStore(directory, tables, options, errors, mode);
        } catch (RocksDBException | IOException e) {
            options.close();
            errors.close();
            throw new KvException("opening the store at " + directory + " failed", e);
        } catch (RuntimeException e) {
            options.close();
            errors.close();
            throw e;
        }
    }

    private static void refuseUnknownTables(Path directory, List<Table> tables)
            throws RocksDBException {
        Set<String> unknown = new TreeSet<>();
        try (Options none = new Options()) {
            for (byte[] family : existingFamilies(none, directory)) {
                unknown.add(new String(family, StandardCharsets.UTF_8));
            }
        }
        unknown.remove(DEFAULT);
        unknown.removeAll(tables.stream().map(Table::name).collect(Collectors.toSet()));
        if (!unknown.isEmpty()) {
            throw new KvException(
                    KvException.Code.INCOMPATIBLE,
                    "the store at "
                            + directory
                            + " has tables unknown to this release: "
                            + unknown
                            + "; it was written by a newer release or is another kind of store");
        }
    }

    private static List<byte[]> existingFamilies(Options none, Path directory)
            throws RocksDBException {
        return Files.exists(directory.resolve("CURRENT"))
                ? RocksDB.listColumnFamilies(none, directory.toString())
                : List.of();
    }

    private RocksKvStore(
            Path directory,
            List<Table> tables,
            RocksOptions options,
            ErrorListener errors,
            WriteMode mode)
            throws RocksDBException {
        this.name = directory.toString();
        this.mode = mode;
        this.options = options;
        this.errors = errors;
        List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
        descriptors.add(
                new ColumnFamilyDescriptor(
                        RocksDB.DEFAULT_COLUMN_FAMILY, options.table(Table.Profile.QUEUE)));
        for (Table table : tables) {
            descriptors.add(
                    new ColumnFamilyDescriptor(
                            table.name().getBytes(StandardCharsets.UTF_8),
                            options.table(table.profile())));
        }
        DBOptions databaseOptions = options.database(mode, errors);
        List<ColumnFamilyHandle> opened = new ArrayList<>();
        this.database = RocksDB.open(databaseOptions, name, descriptors, opened);
        this.handles = new LinkedHashMap<>();
        handles.put(DEFAULT, opened.getFirst());
        for (int i = 0; i < tables.size(); i++) {
            handles.put(tables.get(i).name(), opened.get(i + 1));
        }
        this.writeOptions =
                new WriteOptions()
                        .setDisableWAL(mode == WriteMode.UNLOGGED)
                        .setSync(mode == WriteMode.SYNCED);
        this.view = new RocksView(name, database, handles, gate, null);
        this.files = new RocksTableFiles(name, database, view, gate, this::flush);
    }

    /** For whoever looks after the store. */
    public TableFiles files() {
        return files;
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        requireUsable();
        return view.get(table, key);
    }

    @Override
    public List<byte @Nullable []> multiGet(Table table, List<byte[]> keys) {
        requireUsable();
        return view.multiGet(table, keys);
    }

    @Override
    public KvCursor scan(Table table, byte[] from, byte @Nullable [] to) {
        requireUsable();
        return view.scan(table, from, to);
    }

    @Override
    public void write(KvBatch batch) {
        change(
                "writing",
                () -> {
                    try (WriteBatch writes = new WriteBatch()) {
                        for (KvBatch.Write write : batch.writes()) {
                            add(writes, write);
                        }
                        database.write(writeOptions, writes);
                    }
                });
    }

    private void add(WriteBatch writes, KvBatch.Write write) throws RocksDBException {
        ColumnFamilyHandle handle = view.handle(write.table());
        byte[] value = write.value();
        if (value != null) {
            writes.put(handle, write.key(), value);
        } else if (write.table().profile() == Table.Profile.ONCE) {
            writes.singleDelete(handle, write.key());
        } else {
            writes.delete(handle, write.key());
        }
    }

    @Override
    public KvSnapshot snapshot() {
        requireUsable();
        gate.enter(name);
        return new RocksSnapshot(database.getSnapshot());
    }

    /** Holds the gate until closed; its reads pass it once more each. */
    private final class RocksSnapshot implements KvSnapshot {
        private final Snapshot snapshot;
        private final RocksView at;
        private boolean closed;

        RocksSnapshot(Snapshot snapshot) {
            this.snapshot = snapshot;
            this.at = new RocksView(name, database, handles, gate, snapshot);
        }

        @Override
        public byte @Nullable [] get(Table table, byte[] key) {
            return open().get(table, key);
        }

        @Override
        public List<byte @Nullable []> multiGet(Table table, List<byte[]> keys) {
            return open().multiGet(table, keys);
        }

        @Override
        public KvCursor scan(Table table, byte[] from, byte @Nullable [] to) {
            return open().scan(table, from, to);
        }

        private RocksView open() {
            if (closed) {
                throw new IllegalStateException("snapshot is closed");
            }
            return at;
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                database.releaseSnapshot(snapshot);
                gate.leave();
            }
        }
    }

    @Override
    public void flush() {
        change("flushing", this::flushNow);
    }

    private void flushNow() throws RocksDBException {
        if (mode == WriteMode.SYNCED) {
            database.syncWal();
            return;
        }
        try (FlushOptions wait = new FlushOptions().setWaitForFlush(true)) {
            database.flush(wait, List.copyOf(handles.values()));
        }
    }

    @Override
    public void limitFileWrites(long bytesPerSecond) {
        gate.enter(name);
        try {
            options.limitFileWrites(bytesPerSecond);
        } finally {
            gate.leave();
        }
    }

    @Override
    public void checkpoint(Path directory) {
        if (Files.exists(directory)) {
            throw new IllegalArgumentException("checkpoint directory exists: " + directory);
        }
        change(
                "making a checkpoint of",
                () -> {
                    flushNow();
                    try (Checkpoint checkpoint = Checkpoint.create(database)) {
                        checkpoint.createCheckpoint(directory.toString());
                    }
                });
    }

    @Override
    public long sizeBytes(Table table) {
        requireUsable();
        gate.enter(name);
        try {
            return database.getLongProperty(view.handle(table), "rocksdb.live-sst-files-size");
        } catch (RocksDBException e) {
            throw new KvException("measuring table " + table.name() + " of " + name + " failed", e);
        } finally {
            gate.leave();
        }
    }

    /** Something that changes the store. */
    private interface Change {
        void run() throws RocksDBException;
    }

    private void change(String doing, Change change) {
        requireUsable();
        gate.enter(name);
        try {
            change.run();
        } catch (RocksDBException e) {
            KvException failed = new KvException(doing + " the store at " + name + " failed", e);
            failure.compareAndSet(null, failed);
            throw failed;
        } finally {
            gate.leave();
        }
    }

    private void requireUsable() {
        KvException earlier = failure.get();
        if (earlier != null) {
            throw new KvException("the store at " + name + " failed before", earlier);
        }
        String background = errors.first.get();
        if (background != null) {
            throw new KvException(
                    KvException.Code.FAILED,
                    "a background job of the store at " + name + " failed: " + background);
        }
    }

    @Override
    public void close() {
        if (!gate.close("the store at " + name, CLOSE_TIMEOUT_MILLIS)) {
            return;
        }
        handles.values().forEach(ColumnFamilyHandle::close);
        database.close();
        writeOptions.close();
        options.close();
        errors.close();
    }
}
