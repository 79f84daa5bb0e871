package io.dedupstore.core.container;

import io.dedupstore.core.io.Disk;
import io.dedupstore.core.io.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

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
     * A record to be written instead of the one a slot has, or though it has none.
     *
     * @param stored position to limit
     */
    public record Replacement(RecordHeader header, ByteBuffer stored) {
        int slot() {
            return header.slot();
        }
    }

    /**
     * @param containers folder of all containers
     * @param keep which slots stay
     * @return what the new generation holds; it is durable
     */
    public ContainerContents compact(
            DiskFile source, ContainerContents contents, Path containers, IntPredicate keep)
            throws IOException {
        return compact(source, contents, containers, keep, null);
    }

    /** The same, with one record replaced. */
    public ContainerContents compact(
            DiskFile source,
            ContainerContents contents,
            Path containers,
            IntPredicate keep,
            @Nullable Replacement replacement)
            throws IOException {
        ContainerHeader header = contents.header().nextGeneration();
        Path target = ContainerFiles.path(containers, header.id(), header.generation());
        Path unfinished = ContainerFiles.unfinished(target);
        disk.delete(unfinished);
        try (DiskFile file = disk.create(unfinished)) {
            file.write(header.encode(), 0);
            ContainerContents copied = copy(source, contents, header, file, keep, replacement);
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
            IntPredicate keep,
            @Nullable Replacement replacement)
            throws IOException {
        SlotTable from = contents.table();
        SlotTable to = new SlotTable(from.size() + 1);
        int replaced = replacement == null ? Integer.MAX_VALUE : replacement.slot();
        boolean written = replacement == null;
        long end = ContainerHeader.BYTES;
        for (int i = 0; i < from.size(); ) {
            if (!written && from.slot(i) >= replaced) {
                end = write(replacement, header, target, to, end);
                written = true;
            }
            if (from.slot(i) == replaced || !keep.test(from.slot(i))) {
                i++;
                continue;
            }
            int first = i;
            int length = 0;
            while (i < from.size()
                    && keep.test(from.slot(i))
                    && (written ? from.slot(i) != replaced : from.slot(i) < replaced)
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
        if (!written) {
            end = write(replacement, header, target, to, end);
        }
        return new ContainerContents(header, to, contents.slots(), end);
    }

    private static long write(
            @Nullable Replacement replacement,
            ContainerHeader header,
            DiskFile target,
            SlotTable to,
            long end)
            throws IOException {
        if (replacement == null) {
            return end;
        }
        RecordCodec codec = new RecordCodec(header);
        RecordHeader record = replacement.header();
        int length = codec.recordLength(record.storedLength());
        ByteBuffer bytes = ContainerFormat.littleEndian(length);
        codec.encode(record, replacement.stored(), bytes);
        target.write(bytes.flip(), end);
        to.add(record.slot(), record.v().epoch(), end, length, record.length());
        return end + length;
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
