package io.dedupstore.core.cipher;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;

/** The digest by which clients prove that a key of theirs arrived as they sent it. */
public final class KeyDigest {
    private KeyDigest() {}

    public static byte[] md5(byte[] key) {
        try {
            return MessageDigest.getInstance("MD5").digest(key);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no MD5", e);
        }
    }
}
