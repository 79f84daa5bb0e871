package io.dedupstore.core.fingerprint;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Names chunks inside one dedup domain: {@code HMAC-SHA-256(domainKey, SHA-256(chunk))}. A stolen index
 * can't be probed without the key, and two domains never share. Threads and buffers as for {@link
 * HashEngine}.
 */
public final class Fingerprinter {
    private final HashEngine engine;
    private final HmacKey key;

    public Fingerprinter(HashEngine engine, HmacKey key) {
        this.engine = engine;
        this.key = key;
    }

    /** Fingerprints of a window's chunks, in their order, 32 bytes each. */
    public byte[][] fingerprints(List<ByteBuffer> chunks) {
        return split(engine.hmacSha256(key, engine.sha256(chunks)));
    }

    private static byte[][] split(byte[] packed) {
        byte[][] digests = new byte[packed.length / HashEngine.SHA256_LENGTH][];
        for (int i = 0; i < digests.length; i++) {
            digests[i] = new byte[HashEngine.SHA256_LENGTH];
            System.arraycopy(
                    packed, i * HashEngine.SHA256_LENGTH, digests[i], 0, HashEngine.SHA256_LENGTH);
        }
        return digests;
    }
}
