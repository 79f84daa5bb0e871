package io.dedupstore.core.fingerprint;

import io.dedupstore.core.jni.NativeSha256;
import java.nio.ByteBuffer;

/** What SHA-256 keeps between blocks (FIPS 180-4, section 6.2), and what goes around it. */
final class Sha256State {
    private static final int[] INITIAL = {
        0x6a09e667,
        0xbb67ae85,
        0x3c6ef372,
        0xa54ff53a,
        0x510e527f,
        0x9b05688c,
        0x1f83d9ab,
        0x5be0cd19
    };

    private Sha256State() {}

    static int[] initial() {
        return INITIAL.clone();
    }

    static byte[] digest(int[] state) {
        ByteBuffer out = ByteBuffer.allocate(NativeSha256.LENGTH);
        out.asIntBuffer().put(state, 0, INITIAL.length);
        return out.array();
    }
}
