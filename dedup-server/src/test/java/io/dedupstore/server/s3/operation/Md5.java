package io.dedupstore.server.s3.operation;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;

/** MD5 for tests. */
final class Md5 {
    private Md5() {}

    static byte[] of(byte[] bytes) {
        try {
            return MessageDigest.getInstance("MD5").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(of(bytes));
    }

    static String base64(String text) {
        return Base64.getEncoder().encodeToString(of(text.getBytes(StandardCharsets.UTF_8)));
    }
}
