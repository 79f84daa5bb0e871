package io.dedupstore.core.control;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals secrets of the control group with AES-256-GCM under the master key, before they enter the
 * log. What a secret is for is authenticated with it, so that rows cannot be exchanged for one
 * another. Any thread.
 */
public final class SecretCipher {
    public static final int MASTER_KEY_BYTES = 32;
    static final int KEY_ID_BYTES = SealedSecret.KEY_ID_BYTES;

    private static final String CONTEXT = "dedupstore/1/";

    private final SecretKeySpec key;
    private final byte[] keyId;

    /**
     * @param masterKey 32 bytes; copied
     */
    public SecretCipher(byte[] masterKey) {
        if (masterKey.length != MASTER_KEY_BYTES) {
            throw new IllegalArgumentException(
                    "a master key has 32 bytes, not " + masterKey.length);
        }
        this.key = new SecretKeySpec(masterKey, "AES");
        this.keyId = keyId(masterKey);
    }

    /** Tells master keys apart without telling anything about them. */
    byte[] keyId() {
        return keyId.clone();
    }

    /**
     * @param nonce 12 bytes, never used before with this key
     */
    SealedSecret seal(String purpose, byte[] secret, byte[] nonce) {
        if (nonce.length != SealedSecret.NONCE_BYTES) {
            throw new IllegalArgumentException("a nonce has 12 bytes, not " + nonce.length);
        }
        byte[] encrypted = run(Cipher.ENCRYPT_MODE, purpose, nonce, secret);
        return new SealedSecret(
                ByteBuffer.allocate(SealedSecret.HEADER_BYTES + encrypted.length)
                        .put(SealedSecret.VERSION)
                        .put(keyId)
                        .put(nonce)
                        .put(encrypted)
                        .array());
    }

    /**
     * @throws IllegalStateException sealed under another master key, for another purpose, or
     *     damaged
     */
    byte[] open(String purpose, SealedSecret sealed) {
        ByteBuffer in = ByteBuffer.wrap(sealed.bytes());
        byte version = in.get();
        if (version != SealedSecret.VERSION) {
            throw new IllegalStateException("secret of " + purpose + " has format " + version);
        }
        byte[] sealedUnder = take(in, SealedSecret.KEY_ID_BYTES);
        if (!Arrays.equals(sealedUnder, keyId)) {
            throw new IllegalStateException(
                    "secret of " + purpose + " was sealed under another master key");
        }
        byte[] nonce = take(in, SealedSecret.NONCE_BYTES);
        return run(Cipher.DECRYPT_MODE, purpose, nonce, take(in, in.remaining()));
    }

    /**
     * For many short-lived secrets: each is sealed under a key of its own, made of the master key
     * and the salt, so that their number is bounded by nothing but the salt's length.
     *
     * @param salt random, never used before
     */
    byte[] sealSalted(String purpose, byte[] secret, byte[] salt) {
        try {
            return run(
                    salted(purpose, salt),
                    Cipher.ENCRYPT_MODE,
                    purpose,
                    new byte[SealedSecret.NONCE_BYTES],
                    secret);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no AES-GCM", e);
        }
    }

    /** Empty for what was not sealed by {@link #sealSalted} under this master key. */
    Optional<byte[]> openSalted(String purpose, byte[] sealed, byte[] salt) {
        try {
            return Optional.of(
                    run(
                            salted(purpose, salt),
                            Cipher.DECRYPT_MODE,
                            purpose,
                            new byte[SealedSecret.NONCE_BYTES],
                            sealed));
        } catch (GeneralSecurityException e) {
            return Optional.empty();
        }
    }

    private SecretKeySpec salted(String purpose, byte[] salt) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key.getEncoded(), "HmacSHA256"));
        mac.update((CONTEXT + purpose + "-key/").getBytes(StandardCharsets.UTF_8));
        return new SecretKeySpec(mac.doFinal(salt), "AES");
    }

    private byte[] run(int mode, String purpose, byte[] nonce, byte[] input) {
        try {
            return run(key, mode, purpose, nonce, input);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("secret of " + purpose + " does not verify", e);
        }
    }

    private static byte[] run(
            SecretKeySpec key, int mode, String purpose, byte[] nonce, byte[] input)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(SealedSecret.TAG_BYTES * Byte.SIZE, nonce));
        cipher.updateAAD((CONTEXT + purpose).getBytes(StandardCharsets.UTF_8));
        return cipher.doFinal(input);
    }

    private static byte[] keyId(byte[] masterKey) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update((CONTEXT + "master-key-id/").getBytes(StandardCharsets.UTF_8));
            return Arrays.copyOf(digest.digest(masterKey), SealedSecret.KEY_ID_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }

    private static byte[] take(ByteBuffer in, int length) {
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }
}
