package io.dedupstore.core.fingerprint;

import io.dedupstore.core.jni.NativeDigest;
import io.dedupstore.core.jni.NativeLibrary;
import java.util.Arrays;

/** A dedup domain's 32-byte key, ready for use by any thread. Never printed. */
public final class HmacKey {
    static final int LENGTH = 32;

    private static final byte INNER_PAD = 0x36;
    private static final byte OUTER_PAD = 0x5c;

    private final byte[] key;

    /** States after the inner and the outer padded key (RFC 2104); empty without native library. */
    private final int[] midstates;

    private HmacKey(byte[] key) {
        this.key = key;
        this.midstates = NativeLibrary.available() ? midstates(key) : new int[0];
    }

    /**
     * @param key 32 bytes, copied
     */
    public static HmacKey of(byte[] key) {
        if (key.length != LENGTH) {
            throw new IllegalArgumentException(
                    "a domain key has " + LENGTH + " bytes, this one " + key.length);
        }
        return new HmacKey(key.clone());
    }

    byte[] bytes() {
        return key;
    }

    int[] midstates() {
        return midstates;
    }

    private static int[] midstates(byte[] key) {
        int[] inner = padded(key, INNER_PAD);
        int[] outer = padded(key, OUTER_PAD);
        int[] both = Arrays.copyOf(inner, inner.length + outer.length);
        System.arraycopy(outer, 0, both, inner.length, outer.length);
        return both;
    }

    private static int[] padded(byte[] key, byte pad) {
        byte[] block = new byte[NativeDigest.BLOCK];
        Arrays.fill(block, pad);
        for (int i = 0; i < key.length; i++) {
            block[i] ^= key[i];
        }
        int[] state = BlockHash.SHA256.initial();
        NativeDigest.SHA256.blocks(state, block, 0, 1);
        return state;
    }

    @Override
    public String toString() {
        return "HmacKey[hidden]";
    }
}
