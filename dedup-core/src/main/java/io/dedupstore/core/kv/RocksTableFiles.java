package io.dedupstore.core.kv;

import io.dedupstore.core.model.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactRangeOptions.BottommostLevelCompaction;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * The files of an open database. The gate is held for one file or one slice of a compaction at a
 * time, so that closing the store waits for no more than that.
 */
final class RocksTableFiles implements TableFiles {
    private static final int READ_BYTES = 1 << 20;

    /** Files below this are compacted together with their neighbours. */
    private static final long SLICE_BYTES = 64L << 20;

    private final String name;
    private final RocksDB database;
    private final RocksView view;
    private final UseGate gate;
    private final Damage damage;
    private final Runnable flush;

    /**
     * @param flush writes memtables to files
     */
    RocksTableFiles(
            String name,
            RocksDB database,
            RocksView view,
            UseGate gate,
            Damage damage,
            Runnable flush) {
        this.name = name;
        this.database = database;
        this.view = view;
        this.gate = gate;
        this.damage = damage;
        this.flush = flush;
    }

    /** Something that needs the open database. */
    private interface Use<T> {
        T of(RocksDB database) throws RocksDBException;
    }

    private <T> T use(String doing, Use<T> use) {
        gate.enter(name);
        try {
            return use.of(database);
        } catch (RocksDBException e) {
            throw damage.ofRead(doing, e);
        } finally {
            gate.leave();
        }
    }

    @Override
    public Figures figures(Table table) {
        ColumnFamilyHandle handle = view.handle(table);
        List<LiveFileMetaData> files = files(table);
        return use(
                "measuring table " + table.name(),
                db ->
                        new Figures(
                                db.getLongProperty(handle, "rocksdb.estimate-num-keys"),
                                files.stream().mapToLong(LiveFileMetaData::size).sum(),
                                files.size(),
                                db.getLongProperty(handle, "rocksdb.cur-size-all-mem-tables"),
                                db.getLongProperty(handle, "rocksdb.estimate-table-readers-mem"),
                                db.getLongProperty(
                                        handle, "rocksdb.estimate-pending-compaction-bytes")));
    }

    @Override
    public Damages damages() {
        return new Damages(damage.places(), damage.first().orElse(""));
    }

    /** Of one table, by their first keys. */
    private List<LiveFileMetaData> files(Table table) {
        byte[] family = table.name().getBytes(StandardCharsets.UTF_8);
        List<LiveFileMetaData> all = use("listing the files", RocksDB::getLiveFilesMetaData);
        return all.stream()
                .filter(file -> Arrays.equals(file.columnFamilyName(), family))
                .sorted(
                        Comparator.comparing(
                                LiveFileMetaData::smallestKey, Arrays::compareUnsigned))
                .toList();
    }

    @Override
    public boolean readAll(List<Table> tables, Progress progress) {
        List<LiveFileMetaData> files = new ArrayList<>();
        tables.forEach(table -> files.addAll(files(table)));
        long total = files.stream().mapToLong(LiveFileMetaData::size).sum();
        long done = 0;
        ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
        for (LiveFileMetaData file : files) {
            long end = done + file.size();
            try (FileChannel channel = open(file)) {
                while (channel.read(buffer.clear()) > 0) {
                    done = Math.min(end, done + buffer.position());
                    if (!progress.at(done, total)) {
                        return false;
                    }
                }
            } catch (NoSuchFileException e) {
                // Compacted meanwhile: what replaced it was written through the page cache.
                done = end;
            } catch (IOException e) {
                throw new KvException("reading a file of " + name + " failed", e);
            }
            done = end;
        }
        return progress.at(total, total);
    }

    private static FileChannel open(LiveFileMetaData file) throws IOException {
        return FileChannel.open(path(file), StandardOpenOption.READ);
    }

    private static Path path(LiveFileMetaData file) {
        String fileName = file.fileName();
        return Path.of(file.path(), fileName.startsWith("/") ? fileName.substring(1) : fileName);
    }

    /** Asks each file for a key that it most likely does not have: that costs no more. */
    @Override
    public boolean readFilters(List<Table> tables, Progress progress) {
        long total = tables.stream().mapToLong(table -> files(table).size()).sum();
        long done = 0;
        for (Table table : tables) {
            for (LiveFileMetaData file : files(table)) {
                readFilter(table, file);
                done++;
                if (!progress.at(done, Math.max(done, total))) {
                    return false;
                }
            }
        }
        return progress.at(done, done);
    }

    private void readFilter(Table table, LiveFileMetaData file) {
        try {
            view.get(table, Bytes.successor(file.smallestKey()));
        } catch (KvException e) {
            // It was noted; the other files are none the worse.
            if (e.code() != KvException.Code.DAMAGED) {
                throw e;
            }
        }
    }

    /** Neighbouring files of a table. */
    private record Slice(Table table, byte @Nullable [] from, byte @Nullable [] to, long bytes) {}

    @Override
    public boolean compact(List<Table> tables, Progress progress) {
        flush.run();
        List<Slice> slices = new ArrayList<>();
        tables.forEach(table -> slices.addAll(slices(table)));
        long total = slices.stream().mapToLong(Slice::bytes).sum();
        long done = 0;
        for (Slice slice : slices) {
            long before = done;
            if (!progress.at(before, total) || !compact(slice, () -> progress.at(before, total))) {
                return false;
            }
            done += slice.bytes();
        }
        return progress.at(total, total);
    }

    /** Tables whose files are merged as whole runs know no parts. */
    private List<Slice> slices(Table table) {
        List<Slice> slices = new ArrayList<>();
        if (table.profile() == Table.Profile.POINT) {
            long all = files(table).stream().mapToLong(LiveFileMetaData::size).sum();
            return all == 0 ? slices : List.of(new Slice(table, null, null, all));
        }
        byte[] from = null;
        long bytes = 0;
        for (LiveFileMetaData file : files(table)) {
            if (bytes >= SLICE_BYTES && !Arrays.equals(file.smallestKey(), from)) {
                slices.add(new Slice(table, from, before(file.smallestKey()), bytes));
                from = file.smallestKey();
                bytes = 0;
            }
            bytes += file.size();
        }
        if (bytes > 0) {
            slices.add(new Slice(table, from, null, bytes));
        }
        return slices;
    }

    /** A key shortly before this one: the end of a compacted range belongs to the range. */
    private static byte[] before(byte[] key) {
        int last = key.length - 1;
        if (last < 0) {
            return key;
        }
        byte[] earlier = Arrays.copyOf(key, last);
        if (key[last] == 0) {
            return earlier;
        }
        return Bytes.concat(earlier, new byte[] {(byte) (key[last] - 1), (byte) 0xff});
    }

    /**
     * @param goOn asked now and then, on another thread
     * @return false when it was told to stop, or the store closes
     */
    private boolean compact(Slice slice, BooleanSupplier goOn) {
        ColumnFamilyHandle handle = view.handle(slice.table());
        AtomicBoolean stopped = new AtomicBoolean();
        try (CompactRangeOptions options = new CompactRangeOptions();
                Asking asking = new Asking(() -> goOn.getAsBoolean() && !gate.closing())) {
            options.setExclusiveManualCompaction(false)
                    .setBottommostLevelCompaction(BottommostLevelCompaction.kForceOptimized);
            asking.start(
                    () -> {
                        stopped.set(true);
                        options.setCanceled(true);
                    });
            use(
                    "compacting table " + slice.table().name(),
                    db -> {
                        try {
                            db.compactRange(handle, slice.from(), slice.to(), options);
                        } catch (RocksDBException e) {
                            if (!stopped.get()) {
                                throw e;
                            }
                        }
                        return true;
                    });
        }
        return !stopped.get();
    }

    /** A thread that asks whether to go on, until it is closed or the answer is no. */
    private static final class Asking implements AutoCloseable {
        private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

        private final BooleanSupplier goOn;
        private volatile boolean over;
        private @Nullable Thread thread;

        Asking(BooleanSupplier goOn) {
            this.goOn = goOn;
        }

        void start(Runnable stop) {
            thread =
                    Thread.ofPlatform()
                            .daemon()
                            .name("compaction-watch")
                            .start(
                                    () -> {
                                        while (!over && goOn.getAsBoolean()) {
                                            LockSupport.parkNanos(INTERVAL_NANOS);
                                        }
                                        if (!over) {
                                            stop.run();
                                        }
                                    });
        }

        /** The options it may cancel are freed after this. */
        @Override
        public void close() {
            over = true;
            Thread started = thread;
            if (started == null) {
                return;
            }
            LockSupport.unpark(started);
            boolean interrupted = false;
            while (started.isAlive()) {
                try {
                    started.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
