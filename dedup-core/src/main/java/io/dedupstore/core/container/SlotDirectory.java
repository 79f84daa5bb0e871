package io.dedupstore.core.container;

import io.dedupstore.core.io.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/** The slot directory and footer at the end of a sealed container. */
public final class SlotDirectory {
    private static final int MAX_CALL_BYTES = 1 << 20;
    private static final int CRC_OFFSET = 60;
    private static final int ENTRY = ContainerFormat.DIRECTORY_ENTRY_BYTES;

    private SlotDirectory() {}

    /** Cuts the file at {@code dataEnd}, appends directory and footer, syncs. */
    static void append(DiskFile file, ContainerContents contents) throws IOException {
        file.truncate(contents.dataEnd());
        SlotTable table = contents.table();
        int size = table.size();
        ByteBuffer out =
                ContainerFormat.littleEndian(
                        Math.min(MAX_CALL_BYTES, size * ENTRY + ContainerFormat.FOOTER_BYTES));
        CRC32C crc = new CRC32C();
        long at = contents.dataEnd();
        for (int i = 0; i < size; i++) {
            if (out.remaining() < ENTRY) {
                at += flush(file, out, crc, at);
            }
            out.putInt(table.slot(i)).putInt(table.epoch(i)).putLong(table.offset(i));
            out.putInt(table.recordLength(i)).putInt(table.plainLength(i));
        }
        at += flush(file, out, crc, at);
        file.write(footer(contents, (int) crc.getValue()), at);
        file.sync();
    }

    private static int flush(DiskFile file, ByteBuffer out, CRC32C crc, long at)
            throws IOException {
        out.flip();
        int length = out.remaining();
        crc.update(out.duplicate());
        file.write(out, at);
        out.clear();
        return length;
    }

    private static ByteBuffer footer(ContainerContents contents, int directoryCrc) {
        ContainerHeader header = contents.header();
        ByteBuffer out = ContainerFormat.littleEndian(ContainerFormat.FOOTER_BYTES);
        out.putLong(0, ContainerFormat.FOOTER_MAGIC)
                .putShort(8, ContainerFormat.VERSION)
                .putInt(12, header.generation())
                .putLong(16, header.id().value())
                .putLong(24, header.nonce())
                .putLong(32, contents.dataEnd())
                .putInt(40, contents.table().size())
                .putInt(44, contents.slots())
                .putInt(48, directoryCrc)
                .putInt(CRC_OFFSET, ContainerFormat.crc(out, 0, CRC_OFFSET));
        return out;
    }

    /**
     * Reads a sealed container's directory.
     *
     * @return empty when the file was not sealed, or footer or directory do not verify: scan it
     */
    public static Optional<ContainerContents> load(DiskFile file, ContainerHeader header)
            throws IOException {
        long size = file.size();
        long footerAt = size - ContainerFormat.FOOTER_BYTES;
        if (footerAt < ContainerHeader.BYTES) {
            return Optional.empty();
        }
        ByteBuffer footer = ContainerFormat.littleEndian(ContainerFormat.FOOTER_BYTES);
        file.read(footer, footerAt);
        if (footer.hasRemaining() || !isFooter(footer, header)) {
            return Optional.empty();
        }
        long dataEnd = footer.getLong(32);
        int entries = footer.getInt(40);
        if (dataEnd < ContainerHeader.BYTES || dataEnd + (long) entries * ENTRY != footerAt) {
            return Optional.empty();
        }
        return readTable(file, dataEnd, entries, footer.getInt(48))
                .map(table -> new ContainerContents(header, table, footer.getInt(44), dataEnd));
    }

    private static boolean isFooter(ByteBuffer footer, ContainerHeader header) {
        return footer.getLong(0) == ContainerFormat.FOOTER_MAGIC
                && footer.getInt(CRC_OFFSET) == ContainerFormat.crc(footer, 0, CRC_OFFSET)
                && footer.getShort(8) == ContainerFormat.VERSION
                && footer.getInt(12) == header.generation()
                && footer.getLong(16) == header.id().value()
                && footer.getLong(24) == header.nonce();
    }

    private static Optional<SlotTable> readTable(
            DiskFile file, long from, int entries, int expectedCrc) throws IOException {
        SlotTable table = new SlotTable(entries);
        CRC32C crc = new CRC32C();
        int perCall = MAX_CALL_BYTES / ENTRY;
        ByteBuffer in = ContainerFormat.littleEndian(Math.min(perCall, entries) * ENTRY);
        for (int done = 0; done < entries; ) {
            int now = Math.min(perCall, entries - done);
            in.clear().limit(now * ENTRY);
            file.read(in, from + (long) done * ENTRY);
            if (in.hasRemaining()) {
                return Optional.empty();
            }
            in.flip();
            crc.update(in.duplicate());
            try {
                for (int i = 0; i < now; i++) {
                    int slot = in.getInt();
                    int epoch = in.getInt();
                    long offset = in.getLong();
                    table.add(slot, epoch, offset, in.getInt(), in.getInt());
                }
            } catch (IllegalArgumentException | ArithmeticException e) {
                return Optional.empty();
            }
            done += now;
        }
        return (int) crc.getValue() == expectedCrc ? Optional.of(table) : Optional.empty();
    }
}
