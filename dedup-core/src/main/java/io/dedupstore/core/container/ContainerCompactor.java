package io.dedupstore.core.container;

import io.dedupstore.core.io.Disk;
import io.dedupstore.core.io.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.IntPredicate;

/**
 * Copies the records that are still needed into a file of the next generation. Addresses stay.
 *
 * <p>Crash-safe in this order: write under a temporary name, sync, read the directory back, rename,
 * sync the folder. Only then may the caller delete the older generation; until then it is complete.
 * Records are copied bit for bit, a damaged one too: throwing it away would make damage look like a
 * slot that never was, and it may still be repaired.
 */
public final class ContainerCompactor {
    private static final int COPY_BYTES = 1 << 20;

    /** Waits so that copying keeps to a rate. */
    @FunctionalInterface
    public interface Pace {
        void copied(long bytes);
    }

    private final Disk disk;
    private final Pace pace;
    private ByteBuffer buffer = ContainerFormat.littleEndian(COPY_BYTES);

    /** One thread. */
    public ContainerCompactor(Disk disk, Pace pace) {
        this.disk = disk;
        this.pace = pace;
    }

    /**
     * @param containers folder of all containers
     * @param keep which slots stay
     * @return what the new generation holds; it is durable
     */
    public ContainerContents compact(
            DiskFile source, ContainerContents contents, Path containers, IntPredicate keep)
            throws IOException {
        ContainerHeader header = contents.header().nextGeneration();
        Path target = ContainerFiles.path(containers, header.id(), header.generation());
        Path unfinished = ContainerFiles.unfinished(target);
        disk.delete(unfinished);
        try (DiskFile file = disk.create(unfinished)) {
            file.write(header.encode(), 0);
            ContainerContents copied = copy(source, contents, header, file, keep);
            SlotDirectory.append(file, copied);
            if (SlotDirectory.load(file, header).isEmpty()) {
                throw new IOException(unfinished + " does not read back as it was written");
            }
            disk.rename(unfinished, target);
            disk.syncDirectory(ContainerFiles.folder(target));
            return copied;
        } catch (IOException | RuntimeException e) {
            ContainerFiles.deleteQuietly(disk, unfinished, e);
            throw e;
        }
    }

    private ContainerContents copy(
            DiskFile source,
            ContainerContents contents,
            ContainerHeader header,
            DiskFile target,
            IntPredicate keep)
            throws IOException {
        SlotTable from = contents.table();
        SlotTable to = new SlotTable(from.size());
        long end = ContainerHeader.BYTES;
        for (int i = 0; i < from.size(); ) {
            if (!keep.test(from.slot(i))) {
                i++;
                continue;
            }
            int first = i;
            int length = 0;
            while (i < from.size()
                    && keep.test(from.slot(i))
                    && from.offset(i) == from.offset(first) + length
                    && (i == first || length + from.recordLength(i) <= COPY_BYTES)) {
                to.add(
                        from.slot(i),
                        from.epoch(i),
                        end + length,
                        from.recordLength(i),
                        from.plainLength(i));
                length += from.recordLength(i);
                i++;
            }
            copyRange(source, from.offset(first), target, end, length);
            end += length;
            pace.copied(length);
        }
        return new ContainerContents(header, to, contents.slots(), end);
    }

    private void copyRange(DiskFile source, long from, DiskFile target, long to, int length)
            throws IOException {
        if (buffer.capacity() < length) {
            buffer = ContainerFormat.littleEndian(length);
        }
        buffer.clear().limit(length);
        source.read(buffer, from);
        if (buffer.hasRemaining()) {
            throw new IOException(
                    "a container ends at %d, before its record does"
                            .formatted(from + buffer.position()));
        }
        target.write(buffer.flip(), to);
    }
}
