package io.dedupstore.server.s3.operation;

import io.dedupstore.server.s3.UriText;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Text in header values, which come and go as one byte per char. Clients send metadata that is not
 * ASCII as raw UTF-8; it goes back as an RFC 2047 encoded word. What a client has encoded itself
 * stays as it is.
 */
final class HeaderText {
    private HeaderText() {}

    /** Raw bytes to text: UTF-8 where they are that, else Latin-1. */
    static String decode(String raw) {
        if (isPrintableAscii(raw)) {
            return raw.strip();
        }
        try {
            return UriText.strictUtf8(raw.getBytes(StandardCharsets.ISO_8859_1)).strip();
        } catch (IllegalArgumentException e) {
            return raw.strip();
        }
    }

    static String encode(String text) {
        if (isPrintableAscii(text)) {
            return text;
        }
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return "=?UTF-8?B?" + Base64.getEncoder().encodeToString(utf8) + "?=";
    }

    /** Any text as raw UTF-8, one byte per char; controls become spaces. */
    static String raw(String text) {
        String bytes =
                new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        return bytes.replaceAll("[\\x00-\\x1f\\x7f]", " ");
    }

    private static boolean isPrintableAscii(String text) {
        return text.chars().allMatch(c -> c >= 0x20 && c < 0x7f);
    }
}
