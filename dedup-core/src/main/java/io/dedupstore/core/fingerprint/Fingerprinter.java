package io.dedupstore.core.fingerprint;

import io.dedupstore.core.model.Fingerprint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Names chunks inside one dedup domain: {@code HMAC-SHA-256(domainKey, SHA-256(chunk))}. A stolen
 * index can't be probed without the key, and two domains never share. Threads and buffers as for
 * {@link HashEngine}: blocking, for virtual threads.
 */
public final class Fingerprinter {
    private final HashEngine engine;
    private final HmacKey key;

    public Fingerprinter(HashEngine engine, HmacKey key) {
        this.engine = engine;
        this.key = key;
    }

    /** Fingerprints of a window's chunks, in their order. */
    public List<Fingerprint> fingerprints(List<ByteBuffer> chunks) {
        ByteBuffer packed = ByteBuffer.wrap(engine.keyedSha256(key, chunks));
        List<Fingerprint> fingerprints = new ArrayList<>(chunks.size());
        while (packed.hasRemaining()) {
            fingerprints.add(Fingerprint.read(packed));
        }
        return fingerprints;
    }
}
