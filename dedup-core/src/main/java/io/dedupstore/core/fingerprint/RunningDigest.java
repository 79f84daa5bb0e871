package io.dedupstore.core.fingerprint;

import java.nio.ByteBuffer;

/** The digest of a stream, piece by piece; for one thread at a time. Needs no closing. */
public interface RunningDigest {

    /** Takes all bytes and moves the position to the limit. The buffer is not kept. */
    void update(ByteBuffer bytes);

    /** The digest of all bytes taken; the running digest then starts anew. */
    byte[] digest();

    DigestAlgorithm algorithm();
}
