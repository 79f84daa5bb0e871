package io.dedupstore.server;

import io.dedupstore.core.fingerprint.DigestAlgorithm;
import io.dedupstore.core.fingerprint.DigestQueue;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.fingerprint.RunningDigest;
import io.dedupstore.core.sigv4.PayloadHasher;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The payload SHA-256 of signed requests by the one hashing engine, off the virtual threads. */
final class PooledPayloadHasher implements PayloadHasher {
    private final HashEngine engine;
    private final DigestQueue queue;

    PooledPayloadHasher(HashEngine engine, DigestQueue queue) {
        this.engine = engine;
        this.queue = queue;
    }

    @Override
    public Running start() {
        RunningDigest digest = engine.start(DigestAlgorithm.SHA256);
        return new Running() {
            private DigestQueue.@Nullable Pending pending;

            @Override
            public void update(ByteBuffer piece) {
                queue.update(piece, List.of(digest));
                piece.position(piece.limit());
            }

            @Override
            public void updateLater(ByteBuffer piece) {
                settle();
                pending = queue.updateLater(piece, List.of(digest));
            }

            @Override
            public void settle() {
                DigestQueue.Pending before = pending;
                pending = null;
                if (before != null) {
                    before.settle();
                }
            }

            @Override
            public byte[] digest() {
                settle();
                return digest.digest();
            }
        };
    }
}
