package io.dedupstore.core.index;

import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.ManifestEntry;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What the index knows of one fingerprint; 22 bytes ({@code docs/formats/index.md}).
 *
 * @param length plain bytes
 * @param references 0 for a zombie, that is one which the next collection removes
 * @param touched seconds since 1970 of the last claim
 * @param suspect the bytes could not be read: not handed out until they are healed
 */
record Entry(ChunkAddress address, int length, long references, long touched, boolean suspect) {
    static final int BYTES = 22;
    static final long MAX_REFERENCES = 0xffff_ffffL;
    static final long MAX_TIME = 0xffff_ffffL;

    private static final int VERSION = 1;
    private static final int SUSPECT = 1;
    private static final int LENGTH_BITS = 20;

    Entry {
        if (length < 1 || length > ManifestEntry.MAX_CHUNK_BYTES) {
            throw new IllegalArgumentException("chunk length out of range: " + length);
        }
        if (references < 0 || references > MAX_REFERENCES) {
            throw new IllegalArgumentException("references out of range: " + references);
        }
        if (touched < 0 || touched > MAX_TIME) {
            throw new IllegalArgumentException("time out of range: " + touched);
        }
    }

    boolean zombie() {
        return references == 0;
    }

    /** Whether it belongs into the DUPLICATE table. */
    boolean duplicate() {
        return references > 1;
    }

    Entry claimed(long now) {
        return new Entry(address, length, references + 1, Math.max(touched, now), suspect);
    }

    Entry released() {
        return new Entry(address, length, references - 1, touched, suspect);
    }

    Entry suspect(boolean now) {
        return new Entry(address, length, references, touched, now);
    }

    byte[] toBytes() {
        ByteBuffer out = ByteBuffer.allocate(BYTES);
        out.put((byte) (VERSION << 4 | (suspect ? SUSPECT : 0)));
        out.putLong(address.container().value());
        long place = (long) address.slot() << LENGTH_BITS | (length - 1);
        out.put((byte) (place >>> 32)).putInt((int) place);
        out.putInt((int) references).putInt((int) touched);
        return out.array();
    }

    /** Empty when the value cannot be read; such an entry must never lead to a FREE. */
    static Optional<Entry> read(byte[] value) {
        if (value.length != BYTES || value[0] >>> 4 != VERSION || (value[0] & 0x0e) != 0) {
            return Optional.empty();
        }
        ByteBuffer in = ByteBuffer.wrap(value);
        boolean suspect = (in.get() & SUSPECT) != 0;
        long container = in.getLong();
        if (container <= 0) {
            return Optional.empty();
        }
        long place = (in.get() & 0xffL) << 32 | Integer.toUnsignedLong(in.getInt());
        int slot = (int) (place >>> LENGTH_BITS);
        int length = (int) (place & ((1 << LENGTH_BITS) - 1)) + 1;
        return Optional.of(
                new Entry(
                        new ChunkAddress(new ContainerId(container), slot),
                        length,
                        Integer.toUnsignedLong(in.getInt()),
                        Integer.toUnsignedLong(in.getInt()),
                        suspect));
    }
}
