package io.dedupstore.server.storage;

import io.dedupstore.core.container.ContainerContents;
import io.dedupstore.core.container.ContainerException;
import io.dedupstore.core.container.ContainerFiles;
import io.dedupstore.core.container.ContainerHeader;
import io.dedupstore.core.container.ContainerScanner;
import io.dedupstore.core.container.SlotDirectory;
import io.dedupstore.core.io.Disk;
import io.dedupstore.core.io.DiskFile;
import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.server.storage.ContainerRow.Count;
import io.dedupstore.server.storage.ContainerRow.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens to a drive at start: unfinished files go, containers that were open are scanned and
 * sealed, of two generations the older goes once the newer has proven whole, files of deleted
 * containers go. A container that can't be read now stays as it is, known and unreadable: an error
 * of the disk is not a reason to give up data. Containers that were sealed are not opened at all.
 */
final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    private final ContainerCatalog catalog;
    private final Disk disk;
    private final Drive drive;

    Recovery(ContainerCatalog catalog, Drive drive) {
        this.catalog = catalog;
        this.disk = catalog.disk();
        this.drive = drive;
    }

    /**
     * @throws IOException the folders themselves can't be read
     * @throws ContainerException UNSUPPORTED: a container is of a newer release
     */
    void run() throws IOException {
        Map<ContainerId, ContainerRow> rows = rows();
        Map<ContainerId, List<ContainerFiles.Named>> files = files();
        for (Map.Entry<ContainerId, ContainerRow> row : rows.entrySet()) {
            if (!files.containsKey(row.getKey()) && row.getValue().status() != Status.GONE) {
                LOG.error(
                        "The file of container {} is missing on drive {}; its chunks can't be read.",
                        row.getKey(),
                        drive.directory());
                add(row.getKey(), row.getValue());
            }
        }
        for (Map.Entry<ContainerId, List<ContainerFiles.Named>> entry : files.entrySet()) {
            recover(entry.getKey(), entry.getValue(), rows.get(entry.getKey()));
        }
    }

    private Map<ContainerId, ContainerRow> rows() {
        Map<ContainerId, ContainerRow> rows = new TreeMap<>();
        try (KvCursor cursor = drive.kv().scan(StateTables.CONTAINERS, new byte[0], null)) {
            while (cursor.next()) {
                rows.put(
                        new ContainerId(ByteBuffer.wrap(cursor.key()).getLong()),
                        ContainerRow.decode(cursor.value()));
            }
        }
        return rows;
    }

    private Map<ContainerId, List<ContainerFiles.Named>> files() throws IOException {
        Map<ContainerId, List<ContainerFiles.Named>> files = new TreeMap<>();
        for (Path folder : disk.list(drive.containers())) {
            for (Path path : disk.list(folder)) {
                if (ContainerFiles.isUnfinished(path)) {
                    disk.delete(path);
                }
                ContainerFiles.parse(path)
                        .ifPresent(
                                named ->
                                        files.computeIfAbsent(named.id(), id -> new ArrayList<>())
                                                .add(named));
            }
        }
        files.values()
                .forEach(
                        generations ->
                                generations.sort(
                                        Comparator.comparing(ContainerFiles.Named::generation)
                                                .reversed()));
        return files;
    }

    private void recover(
            ContainerId id, List<ContainerFiles.Named> generations, @Nullable ContainerRow row)
            throws IOException {
        if (row != null && row.status() == Status.GONE) {
            for (ContainerFiles.Named file : generations) {
                disk.delete(file.path());
            }
            return;
        }
        boolean trusted =
                row != null
                        && row.status() != Status.OPEN
                        && generations.size() == 1
                        && generations.getFirst().generation() == row.generation();
        if (trusted) {
            add(id, row);
            return;
        }
        try {
            recoverFiles(id, generations, row);
        } catch (ContainerException e) {
            if (e.code() == ContainerException.Code.UNSUPPORTED) {
                throw e;
            }
            unreadable(id, generations, row, e);
        } catch (IOException e) {
            unreadable(id, generations, row, e);
        }
    }

    private void recoverFiles(
            ContainerId id, List<ContainerFiles.Named> generations, @Nullable ContainerRow row)
            throws IOException {
        for (ContainerFiles.Named named : generations) {
            Optional<ContainerContents> whole = whole(named);
            if (whole.isPresent()) {
                settle(id, whole.get(), Status.SEALED, row);
                for (ContainerFiles.Named other : generations) {
                    if (other.generation() < named.generation()) {
                        disk.delete(other.path());
                    }
                }
                return;
            }
        }
        // None was sealed, or none verifies: the oldest has everything that the newer ones have.
        ContainerFiles.Named oldest = generations.getLast();
        boolean fenced = row != null && row.status() == Status.FENCED;
        try (DiskFile file = disk.open(oldest.path())) {
            ContainerHeader header = header(oldest, file);
            ContainerScanner.Found found =
                    ContainerScanner.scan(file, header, fenced ? row.fencedEnd() : Long.MAX_VALUE);
            settle(id, found.contents(), fenced ? Status.FENCED : seal(id, file, found), row);
        }
    }

    private Optional<ContainerContents> whole(ContainerFiles.Named named) throws IOException {
        try (DiskFile file = disk.openForReading(named.path())) {
            return SlotDirectory.load(file, header(named, file));
        } catch (ContainerException e) {
            if (e.code() == ContainerException.Code.UNSUPPORTED) {
                throw e;
            }
            LOG.warn("{}", e.getMessage());
            return Optional.empty();
        }
    }

    private static ContainerHeader header(ContainerFiles.Named named, DiskFile file)
            throws IOException {
        ContainerHeader header = ContainerHeader.read(file, named.path().toString());
        if (!header.id().equals(named.id()) || header.generation() != named.generation()) {
            throw new IOException(
                    "%s holds container %s generation %d"
                            .formatted(named.path(), header.id(), header.generation()));
        }
        return header;
    }

    /** Seals in place; when that fails the file is read only. */
    private Status seal(ContainerId id, DiskFile file, ContainerScanner.Found found) {
        LOG.info(
                "Container {} was open: {} records kept, {} bytes of an unfinished append cut off.",
                id,
                found.contents().table().size(),
                found.tailBytes());
        if (found.missingBytes() > 0) {
            LOG.warn(
                    "Container {} has {} unreadable bytes between its records.",
                    id,
                    found.missingBytes());
        }
        try {
            ContainerScanner.seal(file, found);
            return Status.SEALED;
        } catch (IOException e) {
            LOG.warn("Container {} can't be sealed: {}", id, e.getMessage());
            return Status.FENCED;
        }
    }

    private void settle(
            ContainerId id, ContainerContents contents, Status status, @Nullable ContainerRow row) {
        StoredContainer container = add(id, row == null ? ContainerRow.opened() : row);
        KvBatch batch = new KvBatch();
        container.row(catalog.recount(container, contents, status, batch));
        drive.log().write(batch);
    }

    private void unreadable(
            ContainerId id,
            List<ContainerFiles.Named> generations,
            @Nullable ContainerRow row,
            Exception problem) {
        LOG.error("Container {} can't be read now; it stays as it is.", id, problem);
        int generation = generations.getFirst().generation();
        add(
                id,
                row != null
                        ? row
                        : new ContainerRow(
                                Status.SEALED,
                                generation,
                                0,
                                0,
                                0,
                                0,
                                Count.ZERO,
                                Count.ZERO,
                                Count.ZERO,
                                0));
    }

    private StoredContainer add(ContainerId id, ContainerRow row) {
        StoredContainer container = new StoredContainer(id, drive, row, null);
        catalog.add(container);
        return container;
    }
}
