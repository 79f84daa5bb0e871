package io.dedupstore.core.model;

import org.jspecify.annotations.Nullable;

/**
 * One chunk reference of a manifest. A {@code ZERO} chunk has neither fingerprint nor address; no
 * message of the reference protocol mentions it. The sums are of the plain chunk bytes and combine
 * to the sums of any run of chunks.
 *
 * @param length plain bytes, 1 to 1 MiB
 */
public record ManifestEntry(
        Kind kind,
        @Nullable Fingerprint fingerprint,
        @Nullable ChunkAddress address,
        int length,
        ChunkSums sums) {
    public static final int MAX_CHUNK_BYTES = 1 << 20;

    /** How the chunk is owned; the code is part of the persistent form. */
    public enum Kind {
        /** All zero bytes: not stored. */
        ZERO(0),
        /** Referenced through an index entry. */
        INDEXED(1),
        /** Owned by this holder alone. */
        UNINDEXED(2);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        public int code() {
            return code;
        }

        public static Kind ofCode(int code) {
            return switch (code) {
                case 0 -> ZERO;
                case 1 -> INDEXED;
                case 2 -> UNINDEXED;
                default -> throw new IllegalArgumentException("unknown chunk kind " + code);
            };
        }
    }

    public ManifestEntry {
        if (length < 1 || length > MAX_CHUNK_BYTES) {
            throw new IllegalArgumentException("chunk length out of range: " + length);
        }
        boolean stored = kind != Kind.ZERO;
        if (stored != (fingerprint != null) || stored != (address != null)) {
            throw new IllegalArgumentException(
                    "a " + kind + " chunk and fingerprint/address do not go together");
        }
    }

    public static ManifestEntry zero(int length, ChunkSums sums) {
        return new ManifestEntry(Kind.ZERO, null, null, length, sums);
    }

    /** The reference of a chunk that is stored. */
    public ChunkReference reference() {
        if (fingerprint == null || address == null) {
            throw new IllegalStateException("a zero chunk has no reference");
        }
        return new ChunkReference(fingerprint, address);
    }
}
