package io.dedupstore.core.cipher;

import io.dedupstore.core.model.V;
import java.nio.ByteBuffer;

/**
 * Which run of bytes of which attempt: names the key and the nonce. It stands before the sealed
 * bytes, so that they can be opened wherever they are copied to.
 *
 * @param number counts the runs of the attempt
 */
record Origin(V v, int number) {
    static final int BYTES = V.BYTES + Integer.BYTES;

    static Origin read(ByteBuffer in) {
        try {
            return new Origin(V.read(in), in.getInt());
        } catch (IllegalArgumentException e) {
            throw new CipherException(
                    CipherException.Code.DAMAGED, "sealed bytes of no attempt: damaged", e);
        }
    }

    void write(ByteBuffer out) {
        v.write(out);
        out.putInt(number);
    }
}
