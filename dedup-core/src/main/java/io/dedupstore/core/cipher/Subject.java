package io.dedupstore.core.cipher;

import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.Fingerprint;
import java.nio.ByteBuffer;

/**
 * What sealed bytes are, authenticated with them: they can pass for nothing else.
 *
 * @param kind tells chunks from inline bodies, whose keys differ too
 */
record Subject(Kind kind, ChunkCipher cipher, DomainId domain, int keyVersion, byte[] details) {
    enum Kind {
        CHUNK(1, "chunk"),
        INLINE(2, "inline");

        private final byte code;
        private final String purpose;

        Kind(int code, String purpose) {
            this.code = (byte) code;
            this.purpose = purpose;
        }

        /** Of the key of a layer. */
        String purpose(int layer) {
            return layer == 0 ? purpose : "outer-" + purpose;
        }
    }

    static Subject chunk(
            ChunkCipher cipher,
            DomainId domain,
            int keyVersion,
            Fingerprint fingerprint,
            int codec,
            int length) {
        ByteBuffer details = ByteBuffer.allocate(Fingerprint.BYTES + 1 + Integer.BYTES);
        fingerprint.write(details);
        details.put((byte) codec).putInt(length);
        return new Subject(Kind.CHUNK, cipher, domain, keyVersion, details.array());
    }

    static Subject inline(ChunkCipher cipher, DomainId domain, int keyVersion) {
        return new Subject(Kind.INLINE, cipher, domain, keyVersion, new byte[0]);
    }

    byte[] bytes() {
        return ByteBuffer.allocate(2 + 2 * Integer.BYTES + details.length)
                .put(kind.code)
                .put((byte) cipher.id())
                .putInt(domain.value())
                .putInt(keyVersion)
                .put(details)
                .array();
    }
}
