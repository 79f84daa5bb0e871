package io.dedupstore.core.container;

import io.dedupstore.core.checksum.AtRestChecksum;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.V;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Records to bytes and back. Immutable; any thread. */
public final class RecordCodec {
    private static final int CHECKSUM_ID_AT = 5;
    private static final int CHECKSUM_AT = ContainerFormat.RECORD_PREFIX_BYTES;

    private final ContainerHeader container;
    private final long prefix;
    private final int room;

    /** A record whose bytes verify. */
    public record Verified(RecordHeader header, ByteBuffer stored) {}

    public RecordCodec(ContainerHeader container) {
        this.container = container;
        this.prefix = ContainerFormat.recordPrefix(container.checksum());
        this.room = ContainerFormat.checksumRoom(container.checksum());
    }

    /** Length of a record, padding included. */
    public int recordLength(int storedLength) {
        return ContainerFormat.aligned(headerBytes() + storedLength);
    }

    int headerBytes() {
        return CHECKSUM_AT + room + ContainerFormat.RECORD_FIELDS_BYTES;
    }

    /**
     * Writes a record at the position of {@code out}.
     *
     * @param stored bytes to keep, unchanged afterwards
     * @param out little-endian, with room for {@link #recordLength}
     */
    void encode(RecordHeader header, ByteBuffer stored, ByteBuffer out) {
        if (stored.remaining() != header.storedLength()) {
            throw new IllegalArgumentException("stored length and bytes differ");
        }
        int start = out.position();
        int end = start + recordLength(header.storedLength());
        out.putLong(prefix);
        out.position(start + CHECKSUM_AT + room);
        out.putLong(container.id().value()).putLong(container.nonce());
        out.putInt(header.slot()).putInt(header.domain().value());
        header.fingerprint().write(out);
        V v = header.v();
        out.putInt(v.epoch()).putInt(v.session()).putLong(v.counter());
        out.put((byte) header.codec()).put((byte) header.cipher()).putShort((short) 0);
        out.putInt(header.keyVersion()).putInt(header.storedLength()).putInt(header.length());
        out.put(stored.duplicate());
        while (out.position() < end) {
            out.put((byte) 0);
        }
        int covered = start + CHECKSUM_AT + room;
        byte[] checksum = container.checksum().of(out.slice(covered, end - covered));
        for (int i = 0; i < room; i++) {
            out.put(start + CHECKSUM_AT + i, i < checksum.length ? checksum[i] : 0);
        }
    }

    /**
     * Length of what looks like a record of this container at {@code at}, from its header alone.
     *
     * @param in little-endian; bytes up to the limit
     * @return -1 when it is none, {@link Integer#MAX_VALUE} when more bytes are needed to tell
     */
    int peek(ByteBuffer in, int at) {
        if (in.limit() - at < headerBytes()) {
            return Integer.MAX_VALUE;
        }
        int fields = at + CHECKSUM_AT + room;
        if (in.getInt(at) != ContainerFormat.RECORD_MAGIC
                || in.getLong(fields) != container.id().value()
                || in.getLong(fields + 8) != container.nonce()) {
            return -1;
        }
        int storedLength = in.getInt(fields + 80);
        if (in.getLong(at) != prefix
                || storedLength < 0
                || storedLength > ContainerFormat.MAX_STORED_LENGTH) {
            return -1;
        }
        return recordLength(storedLength);
    }

    /** The header of a record that {@link #peek} has measured, unverified. */
    public RecordHeader header(ByteBuffer in, int at) {
        int length = peek(in, at);
        if (length < 0 || length > in.limit() - at) {
            throw new ContainerException(
                    ContainerException.Code.DAMAGED,
                    "no record of container " + container.id() + " at byte " + at);
        }
        return fields(in, at + CHECKSUM_AT + room, container.id());
    }

    /** Whether the bytes at {@code at} are a whole record of this container that verifies. */
    boolean valid(ByteBuffer in, int at, int length) {
        try {
            verify(in.slice(at, length), container.id());
            return true;
        } catch (ContainerException e) {
            return false;
        }
    }

    /**
     * Verifies one record: form, checksum and container. The caller compares slot, fingerprint and
     * length with what it expects.
     *
     * @param record exactly one record between position and limit, both unchanged
     * @throws ContainerException DAMAGED
     */
    public static Verified verify(ByteBuffer record, ContainerId expected) {
        ByteBuffer in = record.slice().order(ByteOrder.LITTLE_ENDIAN);
        AtRestChecksum checksum = checksumOf(in, expected);
        int room = ContainerFormat.checksumRoom(checksum);
        int covered = CHECKSUM_AT + room;
        byte[] stored = new byte[checksum.length()];
        in.get(CHECKSUM_AT, stored);
        for (int i = stored.length; i < room; i++) {
            require(in.get(CHECKSUM_AT + i) == 0, expected, "its checksum field is not clean");
        }
        require(
                checksum.matches(stored, in.slice(covered, in.limit() - covered)),
                expected,
                "its checksum does not match");
        require(
                in.getLong(covered) == expected.value(),
                expected,
                "it belongs to container %016x".formatted(in.getLong(covered)));
        RecordHeader header = fields(in, covered, expected);
        int headerBytes = covered + ContainerFormat.RECORD_FIELDS_BYTES;
        require(
                ContainerFormat.aligned(headerBytes + header.storedLength()) == in.limit(),
                expected,
                "its length does not fit");
        return new Verified(header, in.slice(headerBytes, header.storedLength()));
    }

    private static AtRestChecksum checksumOf(ByteBuffer in, ContainerId container) {
        for (AtRestChecksum checksum : AtRestChecksum.values()) {
            if (in.limit() >= ContainerFormat.recordHeaderBytes(checksum)
                    && in.get(CHECKSUM_ID_AT) == checksum.id()
                    && in.getLong(0) == ContainerFormat.recordPrefix(checksum)) {
                return checksum;
            }
        }
        throw damaged(container, "it does not begin like one");
    }

    private static RecordHeader fields(ByteBuffer in, int at, ContainerId container) {
        ByteBuffer fields = in.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(at + 24);
        try {
            Fingerprint fingerprint = Fingerprint.read(fields);
            return new RecordHeader(
                    in.getInt(at + 16),
                    new DomainId(in.getInt(at + 20)),
                    fingerprint,
                    new V(in.getInt(at + 56), in.getInt(at + 60), in.getLong(at + 64)),
                    Byte.toUnsignedInt(in.get(at + 72)),
                    Byte.toUnsignedInt(in.get(at + 73)),
                    in.getInt(at + 76),
                    in.getInt(at + 80),
                    in.getInt(at + 84));
        } catch (IllegalArgumentException e) {
            throw damaged(container, e.getMessage());
        }
    }

    private static void require(boolean condition, ContainerId container, String problem) {
        if (!condition) {
            throw damaged(container, problem);
        }
    }

    private static ContainerException damaged(ContainerId container, String problem) {
        return new ContainerException(
                ContainerException.Code.DAMAGED,
                "damaged record in container " + container + ": " + problem);
    }
}
