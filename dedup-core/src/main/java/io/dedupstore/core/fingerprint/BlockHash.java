package io.dedupstore.core.fingerprint;

import io.dedupstore.core.jni.NativeDigest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What the native kernels leave to the caller: initial states and byte order. */
enum BlockHash {
    /** FIPS 180-4, section 5.3.3. */
    SHA256(
            DigestAlgorithm.SHA256,
            NativeDigest.SHA256,
            ByteOrder.BIG_ENDIAN,
            0x6a09e667,
            0xbb67ae85,
            0x3c6ef372,
            0xa54ff53a,
            0x510e527f,
            0x9b05688c,
            0x1f83d9ab,
            0x5be0cd19),
    /** RFC 1321, section 3.3. */
    MD5(
            DigestAlgorithm.MD5,
            NativeDigest.MD5,
            ByteOrder.LITTLE_ENDIAN,
            0x67452301,
            0xefcdab89,
            0x98badcfe,
            0x10325476,
            0,
            0,
            0,
            0);

    private final DigestAlgorithm algorithm;
    private final NativeDigest kernel;
    private final ByteOrder order;
    private final int[] initial;

    BlockHash(DigestAlgorithm algorithm, NativeDigest kernel, ByteOrder order, int... initial) {
        this.algorithm = algorithm;
        this.kernel = kernel;
        this.order = order;
        this.initial = initial;
    }

    DigestAlgorithm algorithm() {
        return algorithm;
    }

    NativeDigest kernel() {
        return kernel;
    }

    /** Of integers in the message's end and the digest. */
    ByteOrder order() {
        return order;
    }

    int[] initial() {
        return initial.clone();
    }

    byte[] digest(int[] state) {
        ByteBuffer out = ByteBuffer.allocate(algorithm.length()).order(order);
        out.asIntBuffer().put(state, 0, algorithm.length() / Integer.BYTES);
        return out.array();
    }
}
