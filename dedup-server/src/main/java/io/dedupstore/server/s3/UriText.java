package io.dedupstore.server.s3;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Percent-encoding as S3 uses it: over UTF-8 bytes, a plus sign means itself, nothing is
 * normalised.
 */
public final class UriText {
    private static final String UNESCAPED =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    private static final String HEX = "0123456789ABCDEF";

    private UriText() {}

    /**
     * Decodes once.
     *
     * @param raw one byte per char, as it came over the wire
     * @throws IllegalArgumentException a broken escape, or not UTF-8
     */
    public static String decode(String raw) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                if (i + 2 >= raw.length()) {
                    throw new IllegalArgumentException("broken escape at the end");
                }
                bytes.write(hexDigit(raw.charAt(i + 1)) << 4 | hexDigit(raw.charAt(i + 2)));
                i += 2;
            } else {
                bytes.write(c);
            }
        }
        return strictUtf8(bytes.toByteArray());
    }

    /** Everything but unreserved characters and the slash is escaped. */
    public static String encode(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b > 0 && UNESCAPED.indexOf(b) >= 0) {
                out.append((char) b);
            } else {
                out.append('%').append(HEX.charAt(b >> 4 & 0xf)).append(HEX.charAt(b & 0xf));
            }
        }
        return out.toString();
    }

    /**
     * @throws IllegalArgumentException not UTF-8
     */
    public static String strictUtf8(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("not UTF-8", e);
        }
    }

    /** Bytes of a text of one byte per char. */
    static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static int hexDigit(char c) {
        int digit = c < 0x80 ? Character.digit(c, 16) : -1;
        if (digit < 0) {
            throw new IllegalArgumentException("broken escape");
        }
        return digit;
    }
}
