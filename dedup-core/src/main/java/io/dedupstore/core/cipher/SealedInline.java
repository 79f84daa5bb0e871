package io.dedupstore.core.cipher;

import io.dedupstore.core.model.DomainId;
import java.nio.ByteBuffer;

/**
 * An encrypted body that is kept in the metadata: as many bytes as the plain ones, and beside them
 * what is needed to open them (docs/formats/metadata.md).
 */
public record SealedInline(byte[] bytes, byte[] seal) {
    private static final byte VERSION = 1;
    private static final int HEADER_BYTES = 2 + 2 * Integer.BYTES + Origin.BYTES;

    static SealedInline of(Subject subject, Origin origin, int length, ByteBuffer sealed) {
        byte[] bytes = new byte[length];
        sealed.get(bytes);
        ByteBuffer seal = ByteBuffer.allocate(HEADER_BYTES + sealed.remaining());
        seal.put(VERSION).put((byte) subject.cipher().id());
        seal.putInt(subject.domain().value()).putInt(subject.keyVersion());
        origin.write(seal);
        seal.put(sealed);
        return new SealedInline(bytes, seal.array());
    }

    /**
     * The plain bytes.
     *
     * @throws CipherException whose code says why not
     */
    public byte[] open(RootKeys keys) {
        if (seal.length < HEADER_BYTES) {
            throw new CipherException(CipherException.Code.DAMAGED, "a seal is too short: damaged");
        }
        ByteBuffer in = ByteBuffer.wrap(seal);
        byte version = in.get();
        if (version != VERSION) {
            throw new CipherException(
                    CipherException.Code.UNKNOWN_CIPHER,
                    "seal of format %d, this release reads %d".formatted(version, VERSION));
        }
        ChunkCipher cipher = ChunkCipher.ofId(in.get());
        Subject subject = Subject.inline(cipher, domain(in.getInt()), in.getInt());
        Origin origin = Origin.read(in);
        if (in.remaining() != cipher.tagBytes() || cipher == ChunkCipher.NONE) {
            throw new CipherException(
                    CipherException.Code.DAMAGED, "a seal of a wrong length: damaged");
        }
        ByteBuffer sealed = ByteBuffer.allocate(bytes.length + in.remaining());
        sealed.put(bytes).put(in).flip();
        RootKey root = keys.of(cipher, subject.domain(), subject.keyVersion());
        ByteBuffer opened = Workbench.mine().open(root, subject, origin, sealed);
        byte[] plain = new byte[opened.remaining()];
        opened.get(plain);
        return plain;
    }

    private static DomainId domain(int value) {
        if (value <= 0) {
            throw new CipherException(
                    CipherException.Code.DAMAGED, "a seal of no dedup domain: damaged");
        }
        return new DomainId(value);
    }
}
