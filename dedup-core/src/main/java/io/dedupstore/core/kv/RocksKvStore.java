package io.dedupstore.core.kv;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.MutableDBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
 *
 * <p>Damage is different: rows that cannot be read concern whoever asks for them, and only them
 * ({@link KvException.Code#DAMAGED}). A store without a log of its own opens with damaged files and
 * does not mind a compaction that meets them; that table is then left as it is. Whether its owner
 * can live without a row is for the owner to say. A store with a log of its own is strict, because
 * what makes it lenient would make it pass over damage in the log as well.
 */
public final class RocksKvStore implements KvStore {
    private static final long CLOSE_TIMEOUT_MILLIS = 10_000;
    private static final String DEFAULT = "default";
    private static final Logger LOG = LoggerFactory.getLogger(RocksKvStore.class);

    private final String name;
    private final WriteMode mode;
    private final RocksOptions options;
    private final Damage damage;
    private final StoreEvents events;
    private final RocksDB database;
    private final Map<String, ColumnFamilyHandle> handles;
    private final WriteOptions writeOptions;
    private final UseGate gate = new UseGate();
    private final AtomicReference<@Nullable KvException> failure = new AtomicReference<>();
    private final RocksView view;
    private final Map<Table, AbsentKeys> absent;
    private final TableFiles files;

    /**
     * Opens or creates a store; missing tables are created.
     *
     * @param resources shared by all stores of the process; outlives them
     * @throws KvException {@code INCOMPATIBLE} when there are tables this caller does not name
     */
    public static RocksKvStore open(
            Path directory, List<Table> tables, RocksResources resources, WriteMode mode) {
        RocksOptions options = new RocksOptions(resources);
        Damage damage = new Damage(directory.toString());
        StoreEvents events = new StoreEvents(damage, mode == WriteMode.UNLOGGED);
        try {
            Files.createDirectories(directory);
            refuseUnknownTables(directory, tables);
            return new RocksKvStore(directory, tables, options, damage, events, mode);
        } catch (RocksDBException | IOException e) {
            options.close();
            events.close();
            throw new KvException(
                    "opening the store at " + directory + " failed: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            options.close();
            events.close();
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
            Damage damage,
            StoreEvents events,
            WriteMode mode)
            throws RocksDBException {
        this.name = directory.toString();
        this.mode = mode;
        this.options = options;
        this.damage = damage;
        this.events = events;
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
        DBOptions databaseOptions = options.database(mode, events);
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
                        // Batches are in order of keys, so the next place is near the last one.
                        .setMemtableInsertHintPerBatch(true)
                        .setSync(mode == WriteMode.SYNCED);
        this.view = new RocksView(name, database, handles, gate, damage, null);
        this.absent =
                tables.stream()
                        .filter(table -> table.profile() == Table.Profile.POINT)
                        .collect(
                                Collectors.toUnmodifiableMap(
                                        table -> table, table -> new AbsentKeys()));
        this.files = new RocksTableFiles(name, database, view, gate, damage, this::flush);
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
        AbsentKeys known = absent.get(table);
        return known == null ? view.multiGet(table, keys) : multiGet(table, keys, known);
    }

    private List<byte @Nullable []> multiGet(Table table, List<byte[]> keys, AbsentKeys known) {
        List<byte @Nullable []> values =
                new ArrayList<>(Collections.nCopies(keys.size(), (byte @Nullable []) null));
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            if (!known.has(keys.get(i))) {
                places.add(i);
            }
        }
        List<byte @Nullable []> read =
                view.multiGet(table, places.stream().map(keys::get).toList());
        for (int i = 0; i < read.size(); i++) {
            values.set(places.get(i), read.get(i));
        }
        return values;
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
                    forgetAbsent(batch);
                });
    }

    /** Before the writer reads again. */
    private void forgetAbsent(KvBatch batch) {
        long sequence = database.getLatestSequenceNumber();
        for (KvBatch.Write write : batch.writes()) {
            AbsentKeys known = absent.get(write.table());
            if (known != null && write.value() != null) {
                known.wrote(write.key(), sequence);
            }
        }
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
            this.at = new RocksView(name, database, handles, gate, damage, snapshot);
        }

        @Override
        public byte @Nullable [] get(Table table, byte[] key) {
            return open().get(table, key);
        }

        @Override
        public List<byte @Nullable []> multiGet(Table table, List<byte[]> keys) {
            List<byte @Nullable []> values = open().multiGet(table, keys);
            AbsentKeys known = absent.get(table);
            if (known != null) {
                known.note(keys, values, snapshot.getSequenceNumber());
            }
            return values;
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
        try (FlushOptions begin = new FlushOptions().setWaitForFlush(false)) {
            database.flush(begin, List.copyOf(handles.values()));
        }
        awaitFlushed();
    }

    /** Not RocksDB's own wait: lenient, it would try for ever what cannot be written. */
    private void awaitFlushed() throws RocksDBException {
        boolean interrupted = false;
        while (flushing()) {
            events.failure().ifPresent(this::failInBackground);
            requireNoFailedFlush();
            try {
                events.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * RocksDB's Java API has no name for a failed flush of a store without log, so that no event
     * tells of it. It is counted, as is each compaction that met damage.
     */
    private void requireNoFailedFlush() throws RocksDBException {
        long errors = database.getLongProperty("rocksdb.background-errors");
        if (mode == WriteMode.UNLOGGED && errors > events.forgiven()) {
            throw new RocksDBException("a flush failed; RocksDB's own log in there says why");
        }
    }

    private boolean flushing() throws RocksDBException {
        for (ColumnFamilyHandle handle : handles.values()) {
            if (database.getLongProperty(handle, "rocksdb.num-immutable-mem-table") > 0) {
                return true;
            }
        }
        return false;
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
            requireNoFailedFlush();
            stopCompactingDamage();
            change.run();
        } catch (RocksDBException e) {
            KvException failed = new KvException(doing + " the store at " + name + " failed", e);
            failure.compareAndSet(null, failed);
            throw failed;
        } finally {
            gate.leave();
        }
    }

    /**
     * RocksDB would try again every second, and once enough files wait for it, it would stop all
     * writes. Without compaction it never does. The next start tries once more.
     */
    private void stopCompactingDamage() throws RocksDBException {
        for (String table : events.takeUncompactable()) {
            LOG.error(
                    "Table {} of the store at {} is not compacted any more: it is damaged",
                    table,
                    name);
            database.setOptions(
                    Objects.requireNonNull(handles.get(table)),
                    MutableColumnFamilyOptions.builder().setDisableAutoCompactions(true).build());
        }
    }

    private void requireUsable() {
        KvException earlier = failure.get();
        if (earlier != null) {
            throw new KvException("the store at " + name + " failed before", earlier);
        }
        events.failure().ifPresent(this::failInBackground);
    }

    private void failInBackground(String how) {
        throw new KvException(
                KvException.Code.FAILED,
                "a background job of the store at " + name + " failed: " + how);
    }

    /** Closing writes what is in memory, and where that fails it would be tried for ever. */
    private void keepFromFlushing() {
        try {
            database.setDBOptions(
                    MutableDBOptions.builder().setAvoidFlushDuringShutdown(true).build());
        } catch (RocksDBException e) {
            LOG.error("The store at {} is closed after a failure", name, e);
        }
    }

    @Override
    public void close() {
        if (!gate.close("the store at " + name, CLOSE_TIMEOUT_MILLIS)) {
            return;
        }
        if (failure.get() != null || events.failure().isPresent()) {
            keepFromFlushing();
        }
        handles.values().forEach(ColumnFamilyHandle::close);
        database.close();
        writeOptions.close();
        options.close();
        events.close();
    }
}
