package io.dedupstore.core.checksum;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.CRC32C;
import net.jpountz.xxhash.StreamingXXHash64;
import net.jpountz.xxhash.XXHashFactory;

/**
 * What protects stored chunks against damage; chosen per pool and recorded per container by {@link
 * #id()}. Integers are little-endian.
 */
public enum AtRestChecksum {
    CRC32C(1, Integer.BYTES) {
        @Override
        byte[] compute(ByteBuffer[] parts) {
            CRC32C crc = new CRC32C();
            for (ByteBuffer part : parts) {
                crc.update(part.duplicate());
            }
            return buffer().putInt((int) crc.getValue()).array();
        }
    },
    XXHASH64(2, Long.BYTES) {
        @Override
        byte[] compute(ByteBuffer[] parts) {
            if (parts.length == 1) {
                long hash =
                        XXHASH.hash64()
                                .hash(parts[0], parts[0].position(), parts[0].remaining(), 0L);
                return buffer().putLong(hash).array();
            }
            try (StreamingXXHash64 hash = XXHASH.newStreamingHash64(0L)) {
                for (ByteBuffer part : parts) {
                    update(hash, part.duplicate());
                }
                return buffer().putLong(hash.getValue()).array();
            }
        }
    },
    SHA256(3, 32) {
        @Override
        byte[] compute(ByteBuffer[] parts) {
            try {
                MessageDigest digest = MessageDigest.getInstance("SHA-256");
                for (ByteBuffer part : parts) {
                    digest.update(part.duplicate());
                }
                return digest.digest();
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java runtime has SHA-256", e);
            }
        }
    };

    private static final XXHashFactory XXHASH = XXHashFactory.fastestInstance();
    private static final int COPY_BYTES = 8 << 10;

    private final byte id;
    private final int length;

    AtRestChecksum(int id, int length) {
        this.id = (byte) id;
        this.length = length;
    }

    abstract byte[] compute(ByteBuffer[] parts);

    /** Stable in every format. */
    public byte id() {
        return id;
    }

    /** Bytes of the checksum. */
    public int length() {
        return length;
    }

    /** Of all parts, one after the other; their positions do not change. */
    public byte[] of(ByteBuffer... parts) {
        return compute(parts);
    }

    /** Whether the parts have this checksum. */
    public boolean matches(byte[] expected, ByteBuffer... parts) {
        return Arrays.equals(expected, compute(parts));
    }

    public static AtRestChecksum ofId(int id) {
        for (AtRestChecksum checksum : values()) {
            if (checksum.id == id) {
                return checksum;
            }
        }
        throw new IllegalArgumentException(
                "unknown at-rest checksum id " + id + "; written by a newer release?");
    }

    /** Reads {@code crc32c}, {@code xxhash64} or {@code sha256}. */
    public static AtRestChecksum parse(String name) {
        for (AtRestChecksum checksum : values()) {
            if (checksum.format().equals(name.strip().toLowerCase(Locale.ROOT))) {
                return checksum;
            }
        }
        throw new IllegalArgumentException(
                "at-rest checksum must be crc32c, xxhash64 or sha256, not '" + name + "'");
    }

    public String format() {
        return name().toLowerCase(Locale.ROOT);
    }

    ByteBuffer buffer() {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void update(StreamingXXHash64 hash, ByteBuffer part) {
        if (part.hasArray()) {
            hash.update(part.array(), part.arrayOffset() + part.position(), part.remaining());
            return;
        }
        byte[] copy = new byte[Math.min(COPY_BYTES, part.remaining())];
        while (part.hasRemaining()) {
            int step = Math.min(copy.length, part.remaining());
            part.get(copy, 0, step);
            hash.update(copy, 0, step);
        }
    }
}
