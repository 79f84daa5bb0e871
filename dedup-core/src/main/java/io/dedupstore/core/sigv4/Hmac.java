package io.dedupstore.core.sigv4;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The two primitives a signature is made of. Text is one byte per char. */
final class Hmac {
    private static final HexFormat HEX = HexFormat.of();

    private Hmac() {}

    static byte[] sign(byte[] key, String text) {
        return sign("HmacSHA256", key, text);
    }

    /** Signatures of version 2 are SHA-1's. */
    static byte[] signVersion2(byte[] key, String text) {
        return sign("HmacSHA1", key, text);
    }

    private static byte[] sign(String algorithm, byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(key, algorithm));
            return mac.doFinal(text.getBytes(StandardCharsets.ISO_8859_1));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no " + algorithm, e);
        }
    }

    static String sha256Hex(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HEX.formatHex(digest.digest(text.getBytes(StandardCharsets.ISO_8859_1)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no SHA-256", e);
        }
    }

    /** Compares in constant time; the claimed value may be anything. */
    static boolean matches(byte[] expected, String claimedHex) {
        if (claimedHex.length() != 2 * expected.length) {
            return false;
        }
        try {
            return MessageDigest.isEqual(expected, HEX.parseHex(claimedHex));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
