package io.dedupstore.server;

import io.dedupstore.core.fingerprint.DigestAlgorithm;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.fingerprint.RunningDigest;
import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.sigv4.PayloadHasher;
import java.nio.ByteBuffer;

/** The payload SHA-256 of signed requests by the one hashing engine, off the virtual threads. */
final class PooledPayloadHasher implements PayloadHasher {
    /** Below this, going to the pool and back costs more than the hash. */
    private static final int INLINE_BYTES = 4096;

    private final HashEngine engine;
    private final WorkerPool pool;

    PooledPayloadHasher(HashEngine engine, WorkerPool pool) {
        this.engine = engine;
        this.pool = pool;
    }

    @Override
    public Running start() {
        RunningDigest digest = engine.start(DigestAlgorithm.SHA256);
        return new Running() {
            @Override
            public void update(ByteBuffer piece) {
                if (piece.remaining() <= INLINE_BYTES) {
                    digest.update(piece);
                } else {
                    pool.run(() -> digest.update(piece));
                }
            }

            @Override
            public byte[] digest() {
                return digest.digest();
            }
        };
    }
}
