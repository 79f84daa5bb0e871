package io.dedupstore.core.fingerprint;

import java.nio.ByteBuffer;

/**
 * The digest of a stream, which {@link HashEngine} updates piece by piece; for one thread at a
 * time. Needs no closing.
 */
public abstract sealed class RunningDigest
        permits JdkRunningDigest, NativeRunningDigest, XxHashRunningDigest {

    /** Takes all bytes and moves the position to the limit. The buffer is not kept. */
    abstract void update(ByteBuffer bytes);

    /** The digest of all bytes taken; the running digest then starts anew. */
    public abstract byte[] digest();

    public abstract DigestAlgorithm algorithm();
}
