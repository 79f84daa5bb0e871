package io.dedupstore.core.object;

import io.dedupstore.core.cipher.AttemptCipher;
import io.dedupstore.core.cipher.CipherException;
import io.dedupstore.core.cipher.RootKeys;
import io.dedupstore.core.cipher.SealedInline;
import io.dedupstore.core.metadata.Body;
import io.dedupstore.core.spi.ChunkOpener;
import io.dedupstore.core.spi.ChunkStoreException;
import java.nio.ByteBuffer;

/** Takes the cipher off chunks and inline bodies. */
record Opening(RootKeys keys) implements ChunkOpener {
    @Override
    public ByteBuffer open(Sealed chunk) {
        try {
            return AttemptCipher.open(
                    keys,
                    chunk.cipher(),
                    chunk.domain(),
                    chunk.keyVersion(),
                    chunk.fingerprint(),
                    chunk.codec(),
                    chunk.length(),
                    chunk.stored());
        } catch (CipherException e) {
            throw failure(e);
        }
    }

    /** The plain bytes of a body that is kept in the metadata. */
    byte[] open(Body.Inline body) {
        if (!body.sealed()) {
            return body.bytes();
        }
        try {
            return new SealedInline(body.bytes(), body.seal()).open(keys);
        } catch (CipherException e) {
            throw failure(e);
        }
    }

    private static ChunkStoreException failure(CipherException e) {
        ChunkStoreException.Code code =
                switch (e.code()) {
                    case DAMAGED -> ChunkStoreException.Code.DAMAGED;
                    case NO_KEY, UNKNOWN_CIPHER -> ChunkStoreException.Code.UNAVAILABLE;
                };
        return new ChunkStoreException(code, e.getMessage(), e);
    }
}
