package io.dedupstore.server;

import io.dedupstore.core.fingerprint.DigestAlgorithm;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.fingerprint.RunningDigest;
import io.dedupstore.core.sigv4.PayloadHasher;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The payload SHA-256 of signed requests by the one hashing engine. */
final class EnginePayloadHasher implements PayloadHasher {
    private final HashEngine engine;

    EnginePayloadHasher(HashEngine engine) {
        this.engine = engine;
    }

    @Override
    public Running start() {
        RunningDigest digest = engine.start(DigestAlgorithm.SHA256);
        return new Running() {
            private HashEngine.@Nullable Pending pending;

            @Override
            public void update(ByteBuffer piece) {
                engine.update(piece, List.of(digest));
                piece.position(piece.limit());
            }

            @Override
            public void updateLater(ByteBuffer piece) {
                settle();
                pending = engine.updateLater(piece, List.of(digest));
            }

            @Override
            public void settle() {
                HashEngine.Pending before = pending;
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
