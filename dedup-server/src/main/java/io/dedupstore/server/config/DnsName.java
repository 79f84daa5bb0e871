package io.dedupstore.server.config;

import java.util.Locale;
import java.util.regex.Pattern;

/** Syntax of a host name, RFC 1123 section 2.1. */
final class DnsName {
    private static final int MAX_LENGTH = 253;
    private static final String LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
    private static final Pattern NAME = Pattern.compile(LABEL + "(?:\\." + LABEL + ")*");

    private DnsName() {}

    /** The name in lower case. */
    static String check(String text) {
        String name = text.toLowerCase(Locale.ROOT);
        if (name.length() > MAX_LENGTH || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "is no host name (a bare name is wanted, no scheme, port or wildcard)");
        }
        return name;
    }
}
