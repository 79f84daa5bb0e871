package io.dedupstore.server.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Header fields of a response, in the order they are sent. Values hold one byte per char. Names and
 * values that could break out of the header section are refused, so no handler can inject one.
 * Framing fields (Content-Length, Transfer-Encoding, Connection) belong to the server.
 */
public final class ResponseHeaders {
    private static final Set<String> SERVER_OWNED =
            Set.of("content-length", "transfer-encoding", "connection", "keep-alive", "upgrade");

    private final List<Map.Entry<String, String>> entries = new ArrayList<>();

    public static ResponseHeaders create() {
        return new ResponseHeaders();
    }

    public ResponseHeaders add(String name, String value) {
        requireToken(name);
        requireValue(name, value);
        if (SERVER_OWNED.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("header " + name + " is set by the server");
        }
        entries.add(Map.entry(name, value));
        return this;
    }

    /** Replaces every field of that name. */
    public ResponseHeaders set(String name, String value) {
        entries.removeIf(entry -> entry.getKey().equalsIgnoreCase(name));
        return add(name, value);
    }

    public Optional<String> first(String name) {
        return entries.stream()
                .filter(entry -> entry.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    public boolean contains(String name) {
        return first(name).isPresent();
    }

    public List<Map.Entry<String, String>> entries() {
        return List.copyOf(entries);
    }

    private static void requireToken(String name) {
        if (!HttpSyntax.isToken(name)) {
            throw new IllegalArgumentException("not a header name: " + HttpSyntax.printable(name));
        }
    }

    private static void requireValue(String name, String value) {
        if (!HttpSyntax.isFieldValue(value)) {
            throw new IllegalArgumentException(
                    "value of header " + name + " holds a control or non-Latin-1 character");
        }
    }

    @Override
    public String toString() {
        return "ResponseHeaders" + entries;
    }
}
