package io.dedupstore.core.cipher;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * 32 secret bytes. Nothing is encrypted with them: keys for one purpose and one attempt derive from
 * them by HMAC-SHA-256. Any thread; never printed.
 */
public final class RootKey {
    public static final int BYTES = 32;

    private static final String CONTEXT = "dedupstore/1/";
    private static final String HMAC = "HmacSHA256";
    private static final ThreadLocal<Mac> MAC = ThreadLocal.withInitial(RootKey::newMac);

    private final SecretKeySpec key;
    private final int version;

    /**
     * @param bytes 32; copied
     * @param version which of the successive keys of its domain; 0 for a client's
     */
    public RootKey(byte[] bytes, int version) {
        if (bytes.length != BYTES || version < 0) {
            throw new IllegalArgumentException(
                    "version %d of a root key with %d bytes".formatted(version, bytes.length));
        }
        this.key = new SecretKeySpec(bytes, HMAC);
        this.version = version;
    }

    public int version() {
        return version;
    }

    /**
     * 32 bytes that only this key gives.
     *
     * @param purpose ASCII; no purpose is the beginning of another
     * @param about what else they depend on
     */
    public byte[] derive(String purpose, byte[] about) {
        Mac mac = MAC.get();
        try {
            mac.init(key);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a root key is no key for HMAC", e);
        }
        mac.update((CONTEXT + purpose + "/").getBytes(StandardCharsets.US_ASCII));
        return mac.doFinal(about);
    }

    private static Mac newMac() {
        try {
            return Mac.getInstance(HMAC);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + HMAC, e);
        }
    }

    @Override
    public String toString() {
        return "RootKey[version " + version + "]";
    }
}
