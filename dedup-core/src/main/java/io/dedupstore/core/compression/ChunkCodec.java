package io.dedupstore.core.compression;

import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * How a chunk's bytes are stored; recorded per chunk by {@link #id()}.
 *
 * <p>Compression happens after deduplication and never enters the fingerprint. A chunk that would
 * save less than a sixteenth is stored as it is ({@link #OFF}). Buffers belong to the caller;
 * direct ones are used in place, others work but are slower. All methods may be called by any
 * number of threads at once; they are CPU-bound and not for virtual threads.
 */
public enum ChunkCodec {
    OFF(0) {
        @Override
        int pack(ByteBuffer src, ByteBuffer dst) {
            return -1;
        }

        @Override
        int bound(int length) {
            return 0;
        }

        @Override
        void unpack(ByteBuffer src, ByteBuffer dst) {
            dst.duplicate().put(src.duplicate());
        }

        @Override
        long maxRatio() {
            return 1;
        }
    },
    LZ4(1) {
        @Override
        int pack(ByteBuffer src, ByteBuffer dst) {
            return Lz4.compress(src, dst);
        }

        @Override
        int bound(int length) {
            return Lz4.bound(length);
        }

        @Override
        void unpack(ByteBuffer src, ByteBuffer dst) {
            Lz4.decompress(src, dst);
        }

        @Override
        long maxRatio() {
            return 256;
        }
    },
    ZSTD(2) {
        @Override
        int pack(ByteBuffer src, ByteBuffer dst) {
            return Zstandard.compress(src, dst);
        }

        @Override
        int bound(int length) {
            return Zstandard.bound(length);
        }

        @Override
        void unpack(ByteBuffer src, ByteBuffer dst) {
            Zstandard.decompress(src, dst);
        }

        @Override
        long maxRatio() {
            // A repeated byte in one zstd frame shrinks to a few bytes, whatever its length.
            return Integer.MAX_VALUE;
        }
    };

    /** Format limit of a chunk's length. */
    public static final int MAX_LENGTH = 1 << 20;

    private static final int SAVING_SHIFT = 4;

    private final byte id;

    ChunkCodec(int id) {
        this.id = (byte) id;
    }

    abstract int pack(ByteBuffer src, ByteBuffer dst);

    abstract int bound(int length);

    abstract void unpack(ByteBuffer src, ByteBuffer dst);

    abstract long maxRatio();

    /** Stable in every format. */
    public byte id() {
        return id;
    }

    public static ChunkCodec ofId(int id) {
        for (ChunkCodec codec : values()) {
            if (codec.id == id) {
                return codec;
            }
        }
        throw new CompressionException(
                CompressionException.Code.UNKNOWN_CODEC,
                "unknown codec id " + id + "; written by a newer release, or damaged");
    }

    /** Reads {@code off}, {@code lz4} or {@code zstd}. */
    public static ChunkCodec parse(String name) {
        for (ChunkCodec codec : values()) {
            if (codec.format().equals(name.strip().toLowerCase(Locale.ROOT))) {
                return codec;
            }
        }
        throw new CompressionException(
                CompressionException.Code.UNKNOWN_CODEC,
                "compression must be off, lz4 or zstd, not '" + name + "'");
    }

    public String format() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Room that {@link #compress} wants in its destination for a chunk of this length. */
    public int maxCompressedLength(int length) {
        return bound(length);
    }

    /**
     * Compresses the bytes between position and limit of src into dst from its position on. No
     * position or limit changes.
     *
     * @param dst has at least {@link #maxCompressedLength} bytes remaining; what it holds after -1
     *     is undefined
     * @return the compressed length, or -1 when that would not save a sixteenth and the chunk is
     *     better stored with {@link #OFF}
     */
    public int compress(ByteBuffer src, ByteBuffer dst) {
        int length = src.remaining();
        if (length > MAX_LENGTH) {
            throw new CompressionException(
                    CompressionException.Code.BAD_LENGTH,
                    "chunk of " + length + " bytes is too long");
        }
        if (dst.remaining() < bound(length)) {
            throw new CompressionException(
                    CompressionException.Code.BAD_LENGTH,
                    "destination of " + dst.remaining() + " bytes is too small for " + length);
        }
        if (this == OFF || length == 0 || Compressibility.isPoor(src)) {
            return -1;
        }
        int packed = pack(src, dst);
        return packed <= length - (length >> SAVING_SHIFT) - 1 ? packed : -1;
    }

    /**
     * Refuses declared lengths that can't be true, before anything is allocated for them.
     *
     * @param stored length of the stored bytes
     * @param length declared length of the chunk
     * @return length
     */
    public int checkLength(int stored, int length) {
        boolean fits = this == OFF ? stored == length : stored > 0 && stored <= bound(MAX_LENGTH);
        if (length < 0 || length > MAX_LENGTH || !fits || length > stored * maxRatio()) {
            throw new CompressionException(
                    CompressionException.Code.BAD_LENGTH,
                    "damaged record: %d stored bytes can't be a chunk of %d bytes with codec %s"
                            .formatted(stored, length, format()));
        }
        return length;
    }

    /**
     * Brings a chunk back: src between position and limit into dst from its position on. No
     * position or limit changes.
     *
     * @param length declared length of the chunk; dst has at least as many bytes remaining
     */
    public void decompress(ByteBuffer src, ByteBuffer dst, int length) {
        checkLength(src.remaining(), length);
        unpack(src, dst.slice(dst.position(), length));
    }
}
