package io.dedupstore.client.s3;

import java.nio.charset.StandardCharsets;

/** Percent coding of names in request targets, the way signatures want it. */
final class S3Names {
    private static final String HEX = "0123456789ABCDEF";
    private static final String UNRESERVED_MARKS = "-._~";

    private S3Names() {}

    /** {@code /bucket/key} with all but unreserved characters and slashes encoded. */
    static String path(String bucket, String key) {
        return "/" + encode(bucket, false) + (key.isEmpty() ? "" : "/" + encode(key, true));
    }

    static String parameter(String name, String value) {
        return encode(name, false) + "=" + encode(value, false);
    }

    private static String encode(String text, boolean keepSlash) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (isUnreserved(c) || (keepSlash && c == '/')) {
                out.append(c);
            } else {
                out.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xf));
            }
        }
        return out.toString();
    }

    private static boolean isUnreserved(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || UNRESERVED_MARKS.indexOf(c) >= 0;
    }
}
