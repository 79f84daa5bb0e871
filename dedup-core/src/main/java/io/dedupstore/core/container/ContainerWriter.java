package io.dedupstore.core.container;

import io.dedupstore.core.checksum.AtRestChecksum;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.V;
import java.nio.ByteBuffer;

/**
 * The one writer of a container: gives out slots and turns chunks into records, in a window of the
 * caller's that goes to all replicas. Does no I/O. One thread at a time.
 */
public final class ContainerWriter {
    private final ContainerHeader header;
    private final RecordCodec codec;
    private final long targetBytes;
    private long end = ContainerHeader.BYTES;
    private int nextSlot;

    /**
     * @param targetBytes size at which it counts as full
     */
    public ContainerWriter(ContainerHeader header, long targetBytes) {
        this.header = header;
        this.codec = new RecordCodec(header);
        this.targetBytes = targetBytes;
    }

    /** A window that one chunk of any length fits into; little-endian, direct, to be used again. */
    public static ByteBuffer newWindow(int bytes) {
        int longest =
                ContainerFormat.aligned(
                        ContainerFormat.recordHeaderBytes(AtRestChecksum.SHA256)
                                + ContainerFormat.MAX_STORED_LENGTH);
        return ContainerFormat.littleEndian(Math.max(bytes, longest));
    }

    public ContainerHeader header() {
        return header;
    }

    /** File offset behind the last record. */
    public long end() {
        return end;
    }

    /** Number of the next slot, that is how many were given out. */
    public int nextSlot() {
        return nextSlot;
    }

    public boolean isFull() {
        return end >= targetBytes || nextSlot == ChunkAddress.MAX_SLOTS;
    }

    /** Whether a record for so many stored bytes fits into what remains of the window. */
    public boolean fits(int storedLength, ByteBuffer window) {
        return codec.recordLength(storedLength) <= window.remaining();
    }

    /** Encodes a record at the window's position. */
    public ChunkAddress add(
            V v,
            DomainId domain,
            Fingerprint fingerprint,
            int codecId,
            int cipherId,
            int keyVersion,
            int length,
            ByteBuffer stored,
            ByteBuffer window) {
        RecordHeader record =
                new RecordHeader(
                        nextSlot,
                        domain,
                        fingerprint,
                        v,
                        codecId,
                        cipherId,
                        keyVersion,
                        stored.remaining(),
                        length);
        codec.encode(record, stored, window);
        end += codec.recordLength(record.storedLength());
        return new ChunkAddress(header.id(), nextSlot++);
    }
}
