package io.dedupstore.core.container;

import io.dedupstore.core.checksum.AtRestChecksum;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Numbers of docs/formats/container.md that several classes share. */
final class ContainerFormat {
    static final short VERSION = 1;
    static final long HEADER_MAGIC = magic8("DDSTCON1");
    static final long FOOTER_MAGIC = magic8("DDSTEND1");
    static final int RECORD_MAGIC = (int) magic8("DDSR\0\0\0\0");
    static final byte RECORD_VERSION = 1;

    static final int ALIGNMENT_BYTES = 8;
    static final int RECORD_PREFIX_BYTES = 8;
    static final int RECORD_FIELDS_BYTES = 88;
    static final int DIRECTORY_ENTRY_BYTES = 24;
    static final int FOOTER_BYTES = 64;
    static final int MAX_LENGTH = 1 << 20;
    static final int MAX_STORED_LENGTH = MAX_LENGTH + 64;
    static final int MAX_FILE_UNITS = Integer.MAX_VALUE;

    private ContainerFormat() {}

    static int aligned(int length) {
        return (length + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
    }

    /** Room of a checksum in a record. */
    static int checksumRoom(AtRestChecksum checksum) {
        return aligned(checksum.length());
    }

    static int recordHeaderBytes(AtRestChecksum checksum) {
        return RECORD_PREFIX_BYTES + checksumRoom(checksum) + RECORD_FIELDS_BYTES;
    }

    /** The first 8 bytes of every record of a container with this checksum. */
    static long recordPrefix(AtRestChecksum checksum) {
        return (RECORD_MAGIC & 0xffff_ffffL)
                | (long) RECORD_VERSION << 32
                | (long) checksum.id() << 40
                | (long) recordHeaderBytes(checksum) << 48;
    }

    static ByteBuffer littleEndian(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** CRC-32C of a range, whatever position and limit are. */
    static int crc(ByteBuffer bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(from, length));
        return (int) crc.getValue();
    }

    private static long magic8(String ascii) {
        return ByteBuffer.wrap(ascii.getBytes(StandardCharsets.US_ASCII))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong();
    }
}
