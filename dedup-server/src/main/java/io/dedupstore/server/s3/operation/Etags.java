package io.dedupstore.server.s3.operation;

import java.util.HexFormat;
import java.util.regex.Pattern;

/** Entity tags: kept bare, sent in quotes. */
final class Etags {
    private static final Pattern MD5 = Pattern.compile("[0-9a-f]{32}");

    private Etags() {}

    static String ofMd5(byte[] md5) {
        return HexFormat.of().formatHex(md5);
    }

    static String quoted(String etag) {
        return '"' + etag + '"';
    }

    /** Without quotes, blanks and weakness. */
    static String bare(String text) {
        String bare = text.strip();
        if (bare.startsWith("W/")) {
            bare = bare.substring(2);
        }
        boolean isQuoted = bare.length() >= 2 && bare.startsWith("\"") && bare.endsWith("\"");
        return isQuoted ? bare.substring(1, bare.length() - 1) : bare;
    }

    /** Whether a header's list of tags, or its asterisk, has this one. */
    static boolean matches(String list, String etag) {
        for (String candidate : list.split(",")) {
            String bare = bare(candidate);
            if (bare.equals("*") || bare.equals(etag)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the tag is the MD5 of the bytes. */
    static boolean isMd5(String etag) {
        return MD5.matcher(etag).matches();
    }
}
