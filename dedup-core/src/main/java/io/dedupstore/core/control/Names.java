package io.dedupstore.core.control;

import java.util.regex.Pattern;

/** What names in the control group's state may look like. */
final class Names {
    static final Pattern ACCOUNT_ID = Pattern.compile("[0-9]{12}");
    static final Pattern ACCESS_KEY = Pattern.compile("[A-Za-z0-9._-]{3,128}");
    static final Pattern IDENTITY = Pattern.compile("[A-Za-z0-9+=,.@_-]{1,128}");
    static final Pattern IDENTITY_ID = Pattern.compile("[A-Z0-9]{4,128}");
    static final Pattern PATH = Pattern.compile("/([!-.0-~]{1,510}/){0,32}");
    static final Pattern CANONICAL_ID = Pattern.compile("[0-9a-f]{64}");
    static final Pattern EMAIL = Pattern.compile("[!-?A-~]{1,128}@[!-?A-~]{1,128}");
    static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
    static final Pattern NODE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    static final Pattern CONFIGURATION = Pattern.compile("[a-z][a-zA-Z-]{0,63}");

    /** Printable, and no control characters, so that it can stand in a header. */
    static final Pattern KEY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9/_.:-]{0,255}");

    static final Pattern SETTING = Pattern.compile("[a-z][a-z0-9.-]{0,63}");

    private static final int MAX_TEXT_CHARS = 1024;

    private Names() {}

    static void check(String what, String value, Pattern pattern) {
        if (!pattern.matcher(value).matches()) {
            throw new IllegalArgumentException("bad %s: '%s'".formatted(what, value));
        }
    }

    static void checkText(String what, String value) {
        if (value.length() > MAX_TEXT_CHARS) {
            throw new IllegalArgumentException(
                    "%s of %d characters".formatted(what, value.length()));
        }
    }
}
