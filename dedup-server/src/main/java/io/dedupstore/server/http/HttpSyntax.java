package io.dedupstore.server.http;

/** Character classes of RFC 9110 and 9112. */
final class HttpSyntax {
    private static final String TOKEN_SPECIALS = "!#$%&'*+-.^_`|~";
    private static final boolean[] TOKEN = tokenTable();

    private HttpSyntax() {}

    static boolean isToken(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= TOKEN.length || !TOKEN[c]) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /** Visible characters, space, tab and the upper half of Latin-1; nothing that ends a line. */
    static boolean isFieldValue(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 0xFF || c == 0x7F || (c < 0x20 && c != '\t')) {
                return false;
            }
        }
        return true;
    }

    /**
     * A target without spaces, controls or a fragment; bytes above 0x7F pass, as some clients send
     * them.
     */
    static boolean isTarget(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= 0x20 || c == 0x7F || c > 0xFF || c == '#') {
                return false;
            }
        }
        return !text.isEmpty();
    }

    static boolean isDigits(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return false;
            }
        }
        return !text.isEmpty();
    }

    static String printable(String text) {
        String cut = text.length() > 64 ? text.substring(0, 64) + "..." : text;
        return cut.replaceAll("[^\\x20-\\x7E]", "?");
    }

    private static boolean[] tokenTable() {
        boolean[] table = new boolean[128];
        for (char c = 0; c < 128; c++) {
            boolean alphanumeric =
                    (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            table[c] = alphanumeric || TOKEN_SPECIALS.indexOf(c) >= 0;
        }
        return table;
    }
}
