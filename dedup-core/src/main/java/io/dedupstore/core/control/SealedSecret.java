package io.dedupstore.core.control;

import java.util.Arrays;

/** A secret encrypted under the master key, self-describing; layout in docs/formats/control.md. */
record SealedSecret(byte[] bytes) {
    static final byte VERSION = 1;
    static final int KEY_ID_BYTES = 8;
    static final int NONCE_BYTES = 12;
    static final int TAG_BYTES = 16;
    static final int HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES;
    static final int MAX_BYTES = 1024;

    SealedSecret {
        if (bytes.length < HEADER_BYTES + TAG_BYTES || bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("a sealed secret of " + bytes.length + " bytes");
        }
        bytes = bytes.clone();
    }

    @Override
    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof SealedSecret s && Arrays.equals(bytes, s.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "SealedSecret[" + bytes.length + " bytes]";
    }
}
