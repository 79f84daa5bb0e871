package io.dedupstore.core.container;

import io.dedupstore.core.io.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Finds every record of a container that has no usable directory: an unsealed one after a restart,
 * or one whose end was damaged.
 *
 * <p>Records follow one another. Where one does not verify, the rest of the file is searched for
 * more: a crash may have lost a page and kept later ones, and damage must not cost what stands
 * behind it. Acknowledged records are therefore kept whatever happened around them, and what was
 * never acknowledged may be found too; nobody refers to it. A candidate carries the container's
 * nonce, which no uploaded chunk can imitate.
 */
public final class ContainerScanner {
    private static final int BUFFER_BYTES = 4 << 20;

    private final DiskFile file;
    private final ContainerHeader header;
    private final RecordCodec codec;
    private final long end;
    private final ByteBuffer buffer = ContainerFormat.littleEndian(BUFFER_BYTES);
    private final SlotTable table = new SlotTable();
    private long bufferStart;
    private long at = ContainerHeader.BYTES;
    private long dataEnd = ContainerHeader.BYTES;
    private long missingBytes;

    /**
     * What a scan found.
     *
     * @param missingBytes bytes between records that belong to none that verifies
     * @param tailBytes bytes behind the last record, to be cut off
     */
    public record Found(ContainerContents contents, long missingBytes, long tailBytes) {}

    private ContainerScanner(DiskFile file, ContainerHeader header, long end) {
        this.file = file;
        this.header = header;
        this.codec = new RecordCodec(header);
        this.end = end;
        buffer.limit(0);
    }

    /**
     * Reads the whole file; changes nothing.
     *
     * @param maxEnd bytes behind this are not looked at: they were never acknowledged
     */
    public static Found scan(DiskFile file, ContainerHeader header, long maxEnd)
            throws IOException {
        long size = file.size();
        return new ContainerScanner(file, header, Math.min(size, maxEnd)).scan(size);
    }

    /**
     * Makes what a scan found the whole of the file: cuts the tail, appends directory and footer.
     */
    public static void seal(DiskFile file, Found found) throws IOException {
        SlotDirectory.append(file, found.contents());
    }

    private Found scan(long fileSize) throws IOException {
        while (at < end) {
            int length = recordHere();
            if (length > 0) {
                accept(length);
            } else {
                at += ContainerFormat.ALIGNMENT_BYTES;
            }
        }
        int slots = table.size() == 0 ? 0 : table.slot(table.size() - 1) + 1;
        ContainerContents contents = new ContainerContents(header, table, slots, dataEnd);
        return new Found(contents, missingBytes, Math.max(0, fileSize - dataEnd));
    }

    /** Length of the record at {@code at}, or -1. */
    private int recordHere() throws IOException {
        int headerBytes = codec.headerBytes();
        if (!load(headerBytes)) {
            return -1;
        }
        int length = codec.peek(buffer, inBuffer());
        if (length < 0 || !load(length) || !codec.valid(buffer, inBuffer(), length)) {
            return -1;
        }
        int slot = codec.header(buffer, inBuffer()).slot();
        boolean ascends = table.size() == 0 || slot > table.slot(table.size() - 1);
        return ascends ? length : -1;
    }

    private void accept(int length) {
        RecordHeader record = codec.header(buffer, inBuffer());
        table.add(record.slot(), record.v().epoch(), at, length, record.length());
        missingBytes += at - dataEnd;
        at += length;
        dataEnd = at;
    }

    private int inBuffer() {
        return (int) (at - bufferStart);
    }

    /**
     * Brings {@code length} bytes from {@code at} on into the buffer; false when the file ends
     * before.
     */
    private boolean load(int length) throws IOException {
        if (at + length > end) {
            return false;
        }
        if (at >= bufferStart && inBuffer() + length <= buffer.limit()) {
            return true;
        }
        buffer.clear().limit((int) Math.min(buffer.capacity(), end - at));
        bufferStart = at;
        file.read(buffer, at);
        buffer.flip();
        return length <= buffer.limit();
    }
}
