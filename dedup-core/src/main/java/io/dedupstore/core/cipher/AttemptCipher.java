package io.dedupstore.core.cipher;

import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.V;
import java.nio.ByteBuffer;

/**
 * Encrypts what one attempt writes.
 *
 * <p>Why no nonce ever meets the same key twice: the key derives from the attempt's V, which is
 * never reused, not even after a crash, since every start of a process commits a new epoch; and the
 * nonce is a counter of this object, of which an attempt has one. Nothing of it depends on where
 * the bytes are put, so they may be appended again elsewhere, copied and compacted as they are.
 *
 * <p>One thread at a time.
 */
public final class AttemptCipher {
    private final ChunkCipher cipher;
    private final RootKey root;
    private final DomainId domain;
    private final V v;
    private int next;

    /**
     * @param cipher not NONE
     * @param v an attempt that has no other cipher
     */
    public AttemptCipher(ChunkCipher cipher, RootKey root, DomainId domain, V v) {
        if (cipher == ChunkCipher.NONE) {
            throw new IllegalArgumentException("nothing is encrypted with " + cipher);
        }
        this.cipher = cipher;
        this.root = root;
        this.domain = domain;
        this.v = v;
    }

    public ChunkCipher cipher() {
        return cipher;
    }

    public int keyVersion() {
        return root.version();
    }

    /**
     * Encrypts a chunk.
     *
     * @param packed compressed or not; unchanged
     * @param codec that it was compressed with
     * @param length of the plain chunk
     * @param out big-endian; has {@link ChunkCipher#overhead} more bytes remaining than {@code
     *     packed}
     */
    public void seal(
            Fingerprint fingerprint, int codec, int length, ByteBuffer packed, ByteBuffer out) {
        Subject subject = Subject.chunk(cipher, domain, root.version(), fingerprint, codec, length);
        Origin origin = nextOrigin();
        ByteBuffer sealed = Workbench.mine().seal(root, subject, origin, packed);
        origin.write(out);
        out.put(sealed);
    }

    /** Encrypts a body that is kept in the metadata. */
    public SealedInline sealInline(byte[] bytes) {
        Subject subject = Subject.inline(cipher, domain, root.version());
        Origin origin = nextOrigin();
        ByteBuffer sealed = Workbench.mine().seal(root, subject, origin, ByteBuffer.wrap(bytes));
        return SealedInline.of(subject, origin, bytes.length, sealed);
    }

    private Origin nextOrigin() {
        int number = next;
        next = Math.incrementExact(next);
        return new Origin(v, number);
    }

    /**
     * Takes the cipher off a chunk.
     *
     * @param stored as {@link #seal} wrote it; unchanged
     * @return as it was before; good until this thread's next call of this package
     * @throws CipherException whose code says why not
     */
    public static ByteBuffer open(
            RootKeys keys,
            int cipherId,
            DomainId domain,
            int keyVersion,
            Fingerprint fingerprint,
            int codec,
            int length,
            ByteBuffer stored) {
        ChunkCipher cipher = ChunkCipher.ofId(cipherId);
        if (stored.remaining() < cipher.overhead()) {
            throw new CipherException(
                    CipherException.Code.DAMAGED,
                    stored.remaining() + " bytes are too few to be sealed: damaged");
        }
        Subject subject = Subject.chunk(cipher, domain, keyVersion, fingerprint, codec, length);
        ByteBuffer in = stored.slice();
        Origin origin = Origin.read(in);
        return Workbench.mine().open(keys.of(cipher, domain, keyVersion), subject, origin, in);
    }
}
