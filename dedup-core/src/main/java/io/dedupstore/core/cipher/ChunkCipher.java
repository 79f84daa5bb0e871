package io.dedupstore.core.cipher;

/** How bytes are encrypted; recorded by {@link #id()} wherever they are. */
public enum ChunkCipher {
    NONE(0, 0),
    // 1 was set aside for a nonce of container and slot, and never written.
    /** AES-256-GCM under keys that derive from a key of the dedup domain. */
    DOMAIN(2, 1),
    /** AES-256-GCM under keys that derive from one that only the client has. */
    CUSTOMER(3, 1),
    /** As {@link #DOMAIN}, twice, under two keys. */
    DOMAIN_TWICE(4, 2);

    static final int TAG_BYTES = 16;

    private final byte id;
    private final int layers;

    ChunkCipher(int id, int layers) {
        this.id = (byte) id;
        this.layers = layers;
    }

    /** Stable in every format. */
    public int id() {
        return id;
    }

    int layers() {
        return layers;
    }

    /** Bytes that tags add. */
    int tagBytes() {
        return layers * TAG_BYTES;
    }

    /** How many bytes longer a chunk gets. */
    public int overhead() {
        return this == NONE ? 0 : Origin.BYTES + tagBytes();
    }

    public static ChunkCipher ofId(int id) {
        for (ChunkCipher cipher : values()) {
            if (cipher.id == id) {
                return cipher;
            }
        }
        throw new CipherException(
                CipherException.Code.UNKNOWN_CIPHER,
                "unknown cipher id " + id + "; written by a newer release, or damaged");
    }
}
