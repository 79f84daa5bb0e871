package io.dedupstore.core.fingerprint;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Hashes many buffers with one call, so that all lanes of a multi-buffer kernel are busy: give it a
 * whole window of chunks.
 *
 * <p>The caller's thread does the work: call from the bounded {@code hash} pool of platform
 * threads, never from a virtual thread. Engines are shared by all threads. Input buffers are only
 * read, between position and limit, which do not change; they must stay untouched until the call
 * returns and are not kept after it. Direct buffers are read in place.
 */
public sealed interface HashEngine permits JdkHashEngine, NativeHashEngine {

    /** Bytes of a SHA-256. */
    int SHA256_LENGTH = 32;

    /** SHA-256 of each buffer, packed one after the other in their order. */
    byte[] sha256(List<ByteBuffer> buffers);

    /**
     * HMAC-SHA-256 of each 32-byte digest, packed in the same order.
     *
     * @param digests packed; its length is a multiple of 32
     */
    byte[] hmacSha256(HmacKey key, byte[] digests);

    /** A running digest of one stream with the fastest driver there is for single streams. */
    RunningDigest start(DigestAlgorithm algorithm);

    /** Which kernels are in use, for people: {@code jdk}, {@code avx512-x16+sha-ni}, ... */
    String driverName();

    /** The fastest engine of this machine; always the same one. */
    static HashEngine best() {
        return BestEngine.INSTANCE;
    }
}
