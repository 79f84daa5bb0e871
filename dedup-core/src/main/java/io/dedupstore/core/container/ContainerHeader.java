package io.dedupstore.core.container;

import io.dedupstore.core.checksum.AtRestChecksum;
import io.dedupstore.core.io.DiskFile;
import io.dedupstore.core.model.ContainerId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What a container file says of itself.
 *
 * @param nonce random, the same in all replicas and generations; repeated in every record
 * @param epoch of the session that opened it
 * @param createdMillis for people only
 */
public record ContainerHeader(
        ContainerId id,
        int generation,
        AtRestChecksum checksum,
        long nonce,
        int epoch,
        int session,
        long createdMillis) {
    /** Room of both copies; the first record stands behind it. */
    public static final int BYTES = 4096;

    private static final int[] COPIES = {0, 2048};
    private static final int COPY_BYTES = 64;
    private static final int CRC_OFFSET = 60;

    public ContainerHeader {
        if (generation < 1 || epoch < 1 || session < 1) {
            throw new IllegalArgumentException(
                    "bad header: generation %d, session %d.%d"
                            .formatted(generation, epoch, session));
        }
    }

    public ContainerHeader nextGeneration() {
        return new ContainerHeader(
                id,
                Math.incrementExact(generation),
                checksum,
                nonce,
                epoch,
                session,
                createdMillis);
    }

    /** Both copies with the zeros between, ready to be written at 0. */
    public ByteBuffer encode() {
        ByteBuffer out = ContainerFormat.littleEndian(BYTES);
        for (int at : COPIES) {
            out.putLong(at, ContainerFormat.HEADER_MAGIC)
                    .putShort(at + 8, ContainerFormat.VERSION)
                    .put(at + 10, checksum.id())
                    .putInt(at + 12, generation)
                    .putLong(at + 16, id.value())
                    .putLong(at + 24, nonce)
                    .putInt(at + 32, epoch)
                    .putInt(at + 36, session)
                    .putLong(at + 40, createdMillis)
                    .putInt(at + CRC_OFFSET, ContainerFormat.crc(out, at, CRC_OFFSET));
        }
        return out;
    }

    /**
     * Reads the first copy that verifies.
     *
     * @param name of the file, for messages
     */
    public static ContainerHeader read(DiskFile file, String name) throws IOException {
        ByteBuffer in = ContainerFormat.littleEndian(BYTES);
        in.limit(file.read(in, 0));
        for (int at : COPIES) {
            Optional<ContainerHeader> header = decode(in, at, name);
            if (header.isPresent()) {
                return header.get();
            }
        }
        throw new ContainerException(
                ContainerException.Code.DAMAGED, name + ": neither copy of the header verifies");
    }

    private static Optional<ContainerHeader> decode(ByteBuffer in, int at, String name) {
        if (in.limit() < at + COPY_BYTES
                || in.getLong(at) != ContainerFormat.HEADER_MAGIC
                || in.getInt(at + CRC_OFFSET) != ContainerFormat.crc(in, at, CRC_OFFSET)) {
            return Optional.empty();
        }
        int version = Short.toUnsignedInt(in.getShort(at + 8));
        if (version != ContainerFormat.VERSION) {
            throw new ContainerException(
                    ContainerException.Code.UNSUPPORTED,
                    "%s has container format %d, this release reads up to %d: use a newer release"
                            .formatted(name, version, ContainerFormat.VERSION));
        }
        return Optional.of(
                new ContainerHeader(
                        new ContainerId(in.getLong(at + 16)),
                        in.getInt(at + 12),
                        AtRestChecksum.ofId(in.get(at + 10)),
                        in.getLong(at + 24),
                        in.getInt(at + 32),
                        in.getInt(at + 36),
                        in.getLong(at + 40)));
    }
}
