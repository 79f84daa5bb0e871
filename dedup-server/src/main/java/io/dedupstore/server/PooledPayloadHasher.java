package io.dedupstore.server;

import io.dedupstore.core.fingerprint.DigestAlgorithm;
import io.dedupstore.core.fingerprint.DigestQueue;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.fingerprint.RunningDigest;
import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.sigv4.PayloadHasher;
import java.nio.ByteBuffer;
import java.util.List;

/** The payload SHA-256 of signed requests by the one hashing engine, off the virtual threads. */
final class PooledPayloadHasher implements PayloadHasher {
    private final HashEngine engine;
    private final DigestQueue queue;

    PooledPayloadHasher(HashEngine engine, WorkerPool pool) {
        this.engine = engine;
        this.queue = new DigestQueue(pool);
    }

    @Override
    public Running start() {
        RunningDigest digest = engine.start(DigestAlgorithm.SHA256);
        return new Running() {
            @Override
            public void update(ByteBuffer piece) {
                queue.update(piece, List.of(digest));
                piece.position(piece.limit());
            }

            @Override
            public byte[] digest() {
                return digest.digest();
            }
        };
    }
}
