package io.dedupstore.core.sigv4;

import io.dedupstore.core.sigv4.SigV4Exception.Reason;

/** Percent coding of RFC 3986 over strings that hold one byte per char. */
final class UriEncoding {
    private static final String HEX = "0123456789ABCDEF";

    private UriEncoding() {}

    /** Undoes percent coding once; a plus sign stays a plus sign. */
    static String decode(String text) {
        int percent = text.indexOf('%');
        if (percent < 0) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length()).append(text, 0, percent);
        for (int i = percent; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                out.append(decodeTriplet(text, i));
                i += 2;
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    /** Encodes everything but the unreserved characters and, in paths, the slash. */
    static String encode(String text, boolean keepSlash) {
        int first = firstToEncode(text, keepSlash);
        if (first == text.length()) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isUnreserved(c) || (keepSlash && c == '/')) {
                out.append(c);
            } else {
                out.append('%').append(HEX.charAt((c >> 4) & 0xF)).append(HEX.charAt(c & 0xF));
            }
        }
        return out.toString();
    }

    private static int firstToEncode(String text, boolean keepSlash) {
        int i = 0;
        while (i < text.length()
                && (isUnreserved(text.charAt(i)) || (keepSlash && text.charAt(i) == '/'))) {
            i++;
        }
        return i;
    }

    private static char decodeTriplet(String text, int at) {
        if (at + 2 >= text.length()) {
            throw invalid();
        }
        int high = Character.digit(text.charAt(at + 1), 16);
        int low = Character.digit(text.charAt(at + 2), 16);
        if (high < 0 || low < 0) {
            throw invalid();
        }
        return (char) (high << 4 | low);
    }

    private static SigV4Exception invalid() {
        return new SigV4Exception(Reason.INVALID_URI, "Couldn't parse the specified URI.");
    }

    private static boolean isUnreserved(char c) {
        return (c >= 'A' && c <= 'Z')
                || (c >= 'a' && c <= 'z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '.'
                || c == '_'
                || c == '~';
    }
}
