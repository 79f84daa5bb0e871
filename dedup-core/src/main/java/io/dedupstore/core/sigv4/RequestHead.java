package io.dedupstore.core.sigv4;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a signature covers, as it came over the wire.
 *
 * @param rawTarget path and query, undecoded, one byte per char
 * @param headers in arrival order; names are made lower case, values keep one byte per char
 */
public record RequestHead(
        String method, String rawTarget, List<Map.Entry<String, String>> headers) {
    public RequestHead {
        if (method.isEmpty() || rawTarget.isEmpty()) {
            throw new IllegalArgumentException("method and target must not be empty");
        }
        headers =
                headers.stream()
                        .map(h -> Map.entry(h.getKey().toLowerCase(Locale.ROOT), h.getValue()))
                        .toList();
    }

    public String rawPath() {
        int query = rawTarget.indexOf('?');
        return query < 0 ? rawTarget : rawTarget.substring(0, query);
    }

    /** What follows the first question mark; empty if there is none. */
    public String rawQuery() {
        int query = rawTarget.indexOf('?');
        return query < 0 ? "" : rawTarget.substring(query + 1);
    }

    /** The first value of a field; {@code name} in lower case. */
    public Optional<String> header(String name) {
        for (Map.Entry<String, String> header : headers) {
            if (header.getKey().equals(name)) {
                return Optional.of(header.getValue());
            }
        }
        return Optional.empty();
    }

    /** Every value of a field in arrival order. */
    public List<String> headerValues(String name) {
        List<String> values = new ArrayList<>(1);
        for (Map.Entry<String, String> header : headers) {
            if (header.getKey().equals(name)) {
                values.add(header.getValue());
            }
        }
        return values;
    }
}
