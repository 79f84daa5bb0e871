package io.dedupstore.server.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Header fields of a request: names in lower case, arrival order, every value kept. */
public final class RequestHeaders {
    private final List<Map.Entry<String, String>> entries;

    private RequestHeaders(List<Map.Entry<String, String>> entries) {
        this.entries = entries;
    }

    public static RequestHeaders of(List<? extends Map.Entry<String, String>> fields) {
        List<Map.Entry<String, String>> copy = new ArrayList<>(fields.size());
        for (Map.Entry<String, String> field : fields) {
            copy.add(Map.entry(field.getKey().toLowerCase(Locale.ROOT), field.getValue()));
        }
        return new RequestHeaders(List.copyOf(copy));
    }

    /** Whether a request could carry this field as a header. */
    public static boolean isField(String name, String value) {
        return HttpSyntax.isToken(name) && HttpSyntax.isFieldValue(value);
    }

    /** All fields in arrival order. */
    public List<Map.Entry<String, String>> entries() {
        return entries;
    }

    /** The first value of a field; {@code name} in lower case. */
    public Optional<String> first(String name) {
        for (Map.Entry<String, String> entry : entries) {
            if (entry.getKey().equals(name)) {
                return Optional.of(entry.getValue());
            }
        }
        return Optional.empty();
    }

    /** Every value of a field in arrival order; {@code name} in lower case. */
    public List<String> all(String name) {
        List<String> values = new ArrayList<>(1);
        for (Map.Entry<String, String> entry : entries) {
            if (entry.getKey().equals(name)) {
                values.add(entry.getValue());
            }
        }
        return values;
    }

    public boolean contains(String name) {
        return first(name).isPresent();
    }

    @Override
    public String toString() {
        return "RequestHeaders" + entries.stream().map(Map.Entry::getKey).toList();
    }
}
