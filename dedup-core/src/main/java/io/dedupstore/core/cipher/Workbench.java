package io.dedupstore.core.cipher;

import io.dedupstore.core.model.V;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A thread's cipher, its two arrays, and the keys it used last. AES-GCM of the JDK works best from
 * array to array: there its intrinsics run over the whole length at once. A run of chunks mostly
 * comes from one attempt, so that one pair of keys remembered saves nearly all derivations.
 */
final class Workbench {
    private static final String AES = "AES";
    private static final int NONCE_BYTES = 12;
    private static final int FIRST_BYTES = 64 << 10;
    private static final ThreadLocal<Workbench> OF_THREAD = ThreadLocal.withInitial(Workbench::new);

    private final Cipher cipher;
    private byte[] one = new byte[FIRST_BYTES];
    private byte[] other = new byte[FIRST_BYTES];
    private @Nullable Keys last;

    /** The keys of all layers of an attempt. */
    private record Keys(
            RootKey root, Subject.Kind kind, ChunkCipher cipher, V v, List<SecretKeySpec> layers) {
        boolean serves(RootKey wantedRoot, Subject subject, V wantedV) {
            return root == wantedRoot
                    && kind == subject.kind()
                    && cipher == subject.cipher()
                    && v.equals(wantedV);
        }
    }

    private Workbench() {
        try {
            this.cipher = Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no AES-GCM", e);
        }
    }

    static Workbench mine() {
        return OF_THREAD.get();
    }

    /**
     * Encrypts what remains of {@code plain}, which stays as it is.
     *
     * @return ciphertext and tags; good until this thread's next call
     */
    ByteBuffer seal(RootKey root, Subject subject, Origin origin, ByteBuffer plain) {
        int length = plain.remaining();
        room(length + subject.cipher().tagBytes());
        plain.duplicate().get(one, 0, length);
        List<SecretKeySpec> keys = keys(root, subject, origin.v());
        for (SecretKeySpec key : keys) {
            try {
                length = run(Cipher.ENCRYPT_MODE, key, subject, origin, length);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("AES-GCM failed to encrypt", e);
            }
        }
        return ByteBuffer.wrap(one, 0, length);
    }

    /**
     * The reverse.
     *
     * @return the plain bytes; good until this thread's next call
     * @throws CipherException DAMAGED
     */
    ByteBuffer open(RootKey root, Subject subject, Origin origin, ByteBuffer sealed) {
        int length = sealed.remaining();
        if (length < subject.cipher().tagBytes()) {
            throw damaged(null);
        }
        room(length);
        sealed.duplicate().get(one, 0, length);
        for (SecretKeySpec key : keys(root, subject, origin.v()).reversed()) {
            try {
                length = run(Cipher.DECRYPT_MODE, key, subject, origin, length);
            } catch (GeneralSecurityException e) {
                throw damaged(e);
            }
        }
        return ByteBuffer.wrap(one, 0, length);
    }

    private int run(int mode, SecretKeySpec key, Subject subject, Origin origin, int length)
            throws GeneralSecurityException {
        byte[] nonce = ByteBuffer.allocate(NONCE_BYTES).putLong(0).putInt(origin.number()).array();
        cipher.init(mode, key, new GCMParameterSpec(ChunkCipher.TAG_BYTES * Byte.SIZE, nonce));
        cipher.updateAAD(subject.bytes());
        int result = cipher.doFinal(one, 0, length, other, 0);
        byte[] written = other;
        other = one;
        one = written;
        return result;
    }

    private void room(int length) {
        if (one.length < length) {
            one = new byte[length];
        }
        if (other.length < length) {
            other = new byte[length];
        }
    }

    private List<SecretKeySpec> keys(RootKey root, Subject subject, V v) {
        Keys present = last;
        if (present == null || !present.serves(root, subject, v)) {
            List<SecretKeySpec> layers = new ArrayList<>();
            for (int layer = 0; layer < subject.cipher().layers(); layer++) {
                byte[] key = root.derive(subject.kind().purpose(layer), v.toBytes());
                layers.add(new SecretKeySpec(key, AES));
                Arrays.fill(key, (byte) 0);
            }
            present = new Keys(root, subject.kind(), subject.cipher(), v, List.copyOf(layers));
            last = present;
        }
        return present.layers();
    }

    private static CipherException damaged(@Nullable Exception cause) {
        String message = "sealed bytes do not verify: damaged, or of another key";
        return cause == null
                ? new CipherException(CipherException.Code.DAMAGED, message)
                : new CipherException(CipherException.Code.DAMAGED, message, cause);
    }
}
