package io.dedupstore.core.container;

import io.dedupstore.core.io.Disk;
import io.dedupstore.core.io.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A container file that is being appended to. One thread at a time appends or seals; reads and
 * {@link #sync} may run beside an append.
 *
 * <p>After a failed append or sync the file takes nothing more: what the system failed to write it
 * may forget, and a later successful sync says nothing about it.
 */
public final class OpenContainer {
    private final DiskFile file;
    private final ContainerHeader header;
    private final RecordCodec codec;
    private final SlotTable table = new SlotTable();
    private volatile long end = ContainerHeader.BYTES;
    private volatile boolean broken;

    private OpenContainer(DiskFile file, ContainerHeader header) {
        this.file = file;
        this.header = header;
        this.codec = new RecordCodec(header);
    }

    /** Creates the file; durable on return. */
    public static OpenContainer create(Disk disk, Path path, ContainerHeader header)
            throws IOException {
        Path unfinished = ContainerFiles.unfinished(path);
        disk.delete(unfinished);
        DiskFile file = disk.create(unfinished);
        try {
            file.write(header.encode(), 0);
            file.sync();
            disk.rename(unfinished, path);
            disk.syncDirectory(ContainerFiles.folder(path));
            return new OpenContainer(file, header);
        } catch (IOException | RuntimeException e) {
            ContainerFiles.closeQuietly(file, e);
            ContainerFiles.deleteQuietly(disk, unfinished, e);
            ContainerFiles.deleteQuietly(disk, path, e);
            throw e;
        }
    }

    public ContainerHeader header() {
        return header;
    }

    public DiskFile file() {
        return file;
    }

    public SlotTable table() {
        return table;
    }

    public long end() {
        return end;
    }

    public boolean isBroken() {
        return broken;
    }

    /**
     * Writes records and enters them in the slot table. An exception of this class's own making
     * leaves everything as it was.
     *
     * @param records whole records of this container whose slots follow, little-endian
     * @param closedEpoch records of epochs up to this one are refused
     * @throws ContainerException DAMAGED: no such records; STALE: of a closed epoch
     */
    public void append(ByteBuffer records, int closedEpoch) throws IOException {
        requireUsable();
        int first = table.size();
        long newEnd = end;
        try {
            for (int i = records.position(); i < records.limit(); ) {
                RecordHeader record = next(records, i, closedEpoch);
                int length = codec.recordLength(record.storedLength());
                table.add(record.slot(), record.v().epoch(), newEnd, length, record.length());
                newEnd += length;
                i += length;
            }
        } catch (ContainerException e) {
            table.cut(first);
            throw e;
        }
        try {
            file.write(records, end);
            end = newEnd;
        } catch (IOException | RuntimeException e) {
            broken = true;
            table.cut(first);
            throw e;
        }
    }

    private RecordHeader next(ByteBuffer records, int at, int closedEpoch) {
        RecordHeader record = codec.header(records, at);
        if (record.slot() != table.size()) {
            throw new ContainerException(
                    ContainerException.Code.DAMAGED,
                    "slot %d where %d must follow in container %s"
                            .formatted(record.slot(), table.size(), header.id()));
        }
        if (record.v().epoch() <= closedEpoch) {
            throw new ContainerException(
                    ContainerException.Code.STALE,
                    "append of " + record.v() + ": epochs up to " + closedEpoch + " are closed");
        }
        return record;
    }

    /** Makes all that was appended before the call durable. */
    public void sync() throws IOException {
        requireUsable();
        try {
            file.sync();
        } catch (IOException | RuntimeException e) {
            broken = true;
            throw e;
        }
    }

    /**
     * Cuts off everything behind the first {@code slots} records, appends directory and footer,
     * syncs.
     */
    public ContainerContents seal(int slots) throws IOException {
        requireUsable();
        cut(slots);
        ContainerContents contents = new ContainerContents(header, table, table.size(), end);
        try {
            SlotDirectory.append(file, contents);
        } catch (IOException | RuntimeException e) {
            broken = true;
            throw e;
        }
        return contents;
    }

    /** Forgets the records behind the first {@code slots}; touches no file. */
    public void cut(int slots) {
        table.cut(slots);
        int n = table.size();
        end = n == 0 ? ContainerHeader.BYTES : table.offset(n - 1) + table.recordLength(n - 1);
    }

    private void requireUsable() throws IOException {
        if (broken) {
            throw new IOException("container " + header.id() + " failed before and takes no more");
        }
    }
}
