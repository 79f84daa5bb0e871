package io.dedupstore.server.storage;

import io.dedupstore.core.container.ContainerException;
import io.dedupstore.core.container.ReadPlan;
import io.dedupstore.core.container.RecordCodec;
import io.dedupstore.core.container.RecordHeader;
import io.dedupstore.core.container.SlotTable;
import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.maintenance.RatePacer;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.spi.ChunkStoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the records of all sealed containers and verifies their checksums, drive by drive, round
 * robin, at a set rate. The cursor is durable: a pass goes on where it was, by container and slot,
 * so a compaction in between changes nothing. Readers are never in its way nor it in theirs: it
 * holds no lock, and an open file like any reader.
 *
 * <p>A record is damaged when its bytes do not verify, cannot be read, or are not there though its
 * slot has an owner. A file that cannot be opened is told in the log and left for the next pass.
 * Slots that were freed are nobody's loss and are passed over. Damage is counted, kept until it is
 * gone, and told to {@link SlotDamage}; nothing is ever dropped or rewritten here.
 *
 * <p>One thread steps, see {@link StorageNode}; any may ask how it stands or have a pass begun.
 */
final class Scrub {
    private static final Logger LOG = LoggerFactory.getLogger(Scrub.class);
    private static final int PIECE_BYTES = 1 << 20;
    private static final long SAVE_EVERY_BYTES = 64L << 20;
    private static final int MAX_NAMED = 100;
    private static final byte[] KEY = StateTables.SCRUB_KEY;

    private final ContainerCatalog catalog;
    private final InstantSource clock;
    private final Counters counters;
    private final long bytesPerSecond;
    private final long intervalMillis;
    private final RatePacer pacer;
    private final Map<Drive, OfDrive> drives = new LinkedHashMap<>();
    private ByteBuffer buffer =
            ByteBuffer.allocateDirect(PIECE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private volatile SlotDamage listener =
            (container, slot, fingerprint) ->
                    LOG.error(
                            "nobody was told that container {} slot {} is damaged",
                            container,
                            slot);

    /** The pass of one drive. */
    private static final class OfDrive {
        private final DamagedSlots damaged;
        private volatile ScrubRow row;
        private volatile boolean wanted;
        private long unsavedBytes;

        OfDrive(Drive drive) {
            byte[] stored = drive.kv().get(StateTables.NODE, KEY);
            this.row = stored == null ? ScrubRow.NONE : ScrubRow.decode(stored);
            this.damaged = new DamagedSlots(drive);
        }
    }

    Scrub(
            StorageSettings settings,
            ContainerCatalog catalog,
            List<Drive> all,
            InstantSource clock,
            Counters counters) {
        this.catalog = catalog;
        this.clock = clock;
        this.counters = counters;
        this.bytesPerSecond = settings.scrubBytesPerSecond();
        this.intervalMillis = settings.scrubInterval().toMillis();
        this.pacer = new RatePacer(bytesPerSecond);
        for (Drive drive : all) {
            drives.put(drive, new OfDrive(drive));
        }
    }

    void listener(SlotDamage newListener) {
        listener = newListener;
    }

    /** Has a pass begin on every drive where none runs. */
    void start() {
        drives.values().forEach(pass -> pass.wanted |= !pass.row.running());
    }

    /**
     * Verifies about a mebibyte, if there is something to verify.
     *
     * @return nanoseconds to wait before the next step, or -1 when nothing is to be done
     */
    long step() {
        for (Map.Entry<Drive, OfDrive> one : drives.entrySet()) {
            if (!one.getKey().isFailed()) {
                long bytes = step(one.getKey(), one.getValue());
                if (bytes >= 0) {
                    return pacer.spend(bytes, System.nanoTime());
                }
            }
        }
        return -1;
    }

    /** Bytes that were read, or -1 when this drive has nothing to do. */
    private long step(Drive drive, OfDrive pass) {
        if (!pass.row.running()) {
            if (!isDue(pass)) {
                return -1;
            }
            pass.wanted = false;
            save(drive, pass, pass.row.begin(clock.millis()));
        }
        StoredContainer next = next(drive, pass.row.nextContainer());
        if (next == null) {
            forgetGone(pass);
            save(drive, pass, pass.row.end(clock.millis()));
            LOG.info(
                    "Scrub {} of drive {}: {} records in {} containers, {} damaged.",
                    pass.row.pass(),
                    drive.directory(),
                    pass.row.records(),
                    pass.row.containers(),
                    pass.row.damaged());
            return 0;
        }
        return verify(drive, pass, next);
    }

    private boolean isDue(OfDrive pass) {
        boolean interval =
                intervalMillis > 0 && clock.millis() - pass.row.startedMillis() >= intervalMillis;
        return pass.wanted || interval;
    }

    private @Nullable StoredContainer next(Drive drive, long from) {
        return catalog.all().stream()
                .filter(
                        container ->
                                container.drive() == drive
                                        && container.id().value() >= from
                                        && container.live() == null
                                        && !container.isGone())
                .min(Comparator.comparing(StoredContainer::id))
                .orElse(null);
    }

    private void save(Drive drive, OfDrive pass, ScrubRow row) {
        drive.log().write(new KvBatch().put(StateTables.NODE, KEY, row.encode()));
        pass.row = row;
        pass.unsavedBytes = 0;
    }

    // ---- one piece ----

    private long verify(Drive drive, OfDrive pass, StoredContainer container) {
        long id = container.id().value();
        int fromSlot = pass.row.nextContainer() == id ? pass.row.nextSlot() : 0;
        Piece piece = new Piece(pass, container);
        boolean through;
        try (ContainerView view = catalog.view(container)) {
            through = piece.verify(view, fromSlot);
        } catch (IOException | ContainerException e) {
            unopened(container, piece, e);
            through = true;
        } catch (ChunkStoreException e) {
            // Deleted meanwhile.
            through = true;
        }
        ScrubRow row = pass.row.plus(id, piece.nextSlot, piece.records, piece.bytes, piece.damaged);
        pass.unsavedBytes += piece.bytes;
        if (through) {
            save(drive, pass, row.nextContainer(id));
        } else if (pass.unsavedBytes >= SAVE_EVERY_BYTES) {
            save(drive, pass, row);
        } else {
            pass.row = row;
        }
        counters.scrubbedRecords.add(piece.records);
        counters.scrubbedBytes.add(piece.bytes);
        counters.damagedRecords.add(piece.damaged);
        return piece.bytes;
    }

    /**
     * A file that is gone or is none is the loss of its chunks; one that can't be opened is not.
     */
    private void unopened(StoredContainer container, Piece piece, Exception problem) {
        LOG.error("Container {} can't be scrubbed.", container.id(), problem);
        boolean lost =
                switch (problem) {
                    case ContainerException e -> e.code() == ContainerException.Code.DAMAGED;
                    default -> isMissing(container);
                };
        if (lost) {
            piece.lost();
        } else {
            piece.nextSlot = Integer.MAX_VALUE;
        }
    }

    private boolean isMissing(StoredContainer container) {
        try {
            return !container.isGone() && !catalog.disk().exists(container.path());
        } catch (IOException e) {
            return false;
        }
    }

    private final class Piece {
        private final OfDrive pass;
        private final StoredContainer container;
        private final SlotPages states;
        private int nextSlot;
        private long records;
        private long bytes;
        private long damaged;

        Piece(OfDrive pass, StoredContainer container) {
            this.pass = pass;
            this.container = container;
            this.states = new SlotPages(container.drive().kv(), container.id());
        }

        /** Whether it was the last of its container. */
        boolean verify(ContainerView view, int fromSlot) throws IOException {
            SlotTable table = view.table();
            int size = table.size();
            int from = table.find(fromSlot);
            from = from < 0 ? -from - 1 : from;
            int to = from;
            long length = 0;
            while (to < size && (to == from || length + table.recordLength(to) <= PIECE_BYTES)) {
                length += table.recordLength(to);
                to++;
            }
            int[] entries =
                    IntStream.range(from, to)
                            .filter(i -> states.get(table.slot(i)) != SlotState.FREED)
                            .toArray();
            for (ReadPlan.Run run : ReadPlan.of(table, entries)) {
                verify(view, run);
            }
            nextSlot = to < size ? table.slot(to) : Integer.MAX_VALUE;
            if (to < size) {
                return false;
            }
            missing(table);
            return true;
        }

        private void verify(ContainerView view, ReadPlan.Run run) throws IOException {
            ByteBuffer in = read(view, run);
            for (int entry : run.entries()) {
                int slot = view.table().slot(entry);
                int at = (int) (view.table().offset(entry) - run.offset());
                int length = view.table().recordLength(entry);
                records++;
                try {
                    // A read that failed may have failed for one record of the run only.
                    ByteBuffer record =
                            in != null ? in.slice(at, length) : readAlone(view, entry, length);
                    verify(record, slot);
                    whole(slot);
                } catch (ContainerException | IOException e) {
                    damaged(slot, fingerprint(view, in, at, entry), e.getMessage());
                }
            }
        }

        private void verify(ByteBuffer record, int slot) throws IOException {
            int found = RecordCodec.verify(record, container.id()).header().slot();
            if (found != slot) {
                throw new IOException("the record there is of slot " + found);
            }
        }

        private @Nullable ByteBuffer read(ContainerView view, ReadPlan.Run run) {
            bytes += run.length();
            if (buffer.capacity() < run.length()) {
                buffer = ByteBuffer.allocateDirect(run.length()).order(ByteOrder.LITTLE_ENDIAN);
            }
            try {
                view.file().read(buffer.clear().limit(run.length()), run.offset());
                return buffer.hasRemaining() ? null : buffer.flip().order(ByteOrder.LITTLE_ENDIAN);
            } catch (IOException e) {
                LOG.warn("Container {} can't be read as a whole.", container.id(), e);
                return null;
            }
        }

        private ByteBuffer readAlone(ContainerView view, int entry, int length) throws IOException {
            ByteBuffer record = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
            view.file().read(record, view.table().offset(entry));
            if (record.hasRemaining()) {
                throw new IOException("the file ends before its record does");
            }
            return record.flip();
        }

        /** What the header says, if it looks like one of this slot. */
        private Optional<Fingerprint> fingerprint(
                ContainerView view, @Nullable ByteBuffer in, int at, int entry) {
            try {
                int length = view.table().recordLength(entry);
                ByteBuffer bytesOf =
                        in == null
                                ? readAlone(view, entry, length)
                                : in.slice(at, length).order(ByteOrder.LITTLE_ENDIAN);
                RecordHeader header = new RecordCodec(view.contents().header()).header(bytesOf, 0);
                return header.slot() == view.table().slot(entry)
                        ? Optional.of(header.fingerprint())
                        : Optional.empty();
            } catch (IOException | ContainerException e) {
                return Optional.empty();
            }
        }

        /** Slots with an owner and no record. */
        private void missing(SlotTable table) {
            byte[] prefix = StateTables.key(container.id());
            try (KvCursor rows =
                    container
                            .drive()
                            .kv()
                            .scan(StateTables.SLOTS, prefix, Bytes.successorOfPrefix(prefix))) {
                while (rows.next()) {
                    int first =
                            ByteBuffer.wrap(rows.key()).getInt(prefix.length)
                                    * SlotPages.PAGE_SLOTS;
                    for (int slot = first; slot < first + SlotPages.PAGE_SLOTS; slot++) {
                        if (states.get(slot) == SlotState.ADOPTED && table.find(slot) < 0) {
                            damaged(slot, Optional.empty(), "it has no record");
                        }
                    }
                }
            }
        }

        /** There is no such file, or it is not a container any more. */
        void lost() {
            nextSlot = Integer.MAX_VALUE;
            missing(new SlotTable());
        }

        private void whole(int slot) {
            if (!pass.damaged.isEmpty()) {
                pass.damaged.cleared(new ChunkAddress(container.id(), slot));
            }
        }

        private void damaged(int slot, Optional<Fingerprint> fingerprint, String problem) {
            SlotPages now = new SlotPages(container.drive().kv(), container.id());
            if (container.isGone() || now.get(slot) == SlotState.FREED) {
                return;
            }
            damaged++;
            pass.damaged.found(new ChunkAddress(container.id(), slot), clock.millis());
            LOG.error("Container {} slot {} is damaged: {}", container.id(), slot, problem);
            try {
                listener.onDamage(container.id(), slot, fingerprint);
            } catch (RuntimeException e) {
                LOG.error("Telling of container {} slot {} failed.", container.id(), slot, e);
            }
        }
    }

    /** Damage of what was freed or deleted is no damage any more. */
    private void forgetGone(OfDrive pass) {
        for (ChunkAddress address : pass.damaged.all()) {
            StoredContainer container = catalog.find(address.container());
            if (container == null
                    || new SlotPages(container.drive().kv(), container.id()).get(address.slot())
                            == SlotState.FREED) {
                pass.damaged.cleared(address);
            }
        }
    }

    // ---- asked by others ----

    /** Slots known to be damaged. */
    long damagedNow() {
        return drives.values().stream().mapToLong(pass -> pass.damaged.count()).sum();
    }

    ScrubStatus status() {
        List<ScrubRow> rows = drives.values().stream().map(pass -> pass.row).toList();
        long allContainers = 0;
        long allBytes = 0;
        for (StoredContainer container : catalog.all()) {
            if (container.live() == null && !container.isGone()) {
                allContainers++;
                allBytes += container.row().fileBytes();
            }
        }
        boolean running =
                drives.values().stream().anyMatch(pass -> pass.wanted || pass.row.running());
        return new ScrubStatus(
                running,
                rows.stream().mapToLong(ScrubRow::pass).sum(),
                rows.stream().mapToLong(ScrubRow::startedMillis).max().orElse(0),
                rows.stream().mapToLong(ScrubRow::endedMillis).max().orElse(0),
                rows.stream().mapToLong(ScrubRow::containers).sum(),
                allContainers,
                rows.stream().mapToLong(ScrubRow::records).sum(),
                rows.stream().mapToLong(ScrubRow::bytes).sum(),
                allBytes,
                rows.stream().mapToLong(ScrubRow::damaged).sum(),
                damagedNow(),
                drives.values().stream()
                        .flatMap(pass -> pass.damaged.all().stream())
                        .limit(MAX_NAMED)
                        .toList(),
                bytesPerSecond);
    }
}
