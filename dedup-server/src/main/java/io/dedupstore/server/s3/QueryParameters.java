package io.dedupstore.server.s3;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The query of a request, decoded, in order. */
public final class QueryParameters {
    private static final QueryParameters NONE = new QueryParameters(List.of());

    private final List<Map.Entry<String, String>> entries;

    private QueryParameters(List<Map.Entry<String, String>> entries) {
        this.entries = List.copyOf(entries);
    }

    /**
     * @param rawQuery what follows the question mark, undecoded
     * @throws S3Exception InvalidURI
     */
    public static QueryParameters parse(String rawQuery) {
        if (rawQuery.isEmpty()) {
            return NONE;
        }
        List<Map.Entry<String, String>> entries = new ArrayList<>();
        for (String pair : rawQuery.split("&")) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            String value = equals < 0 ? "" : pair.substring(equals + 1);
            if (!name.isEmpty()) {
                entries.add(Map.entry(decode(name), decode(value)));
            }
        }
        return new QueryParameters(entries);
    }

    /** The first value of a parameter; empty text where it has none. */
    public Optional<String> first(String name) {
        for (Map.Entry<String, String> entry : entries) {
            if (entry.getKey().equals(name)) {
                return Optional.of(entry.getValue());
            }
        }
        return Optional.empty();
    }

    /** As {@link #first}, an empty value counting as none. */
    public Optional<String> nonEmpty(String name) {
        return first(name).filter(value -> !value.isEmpty());
    }

    public boolean has(String name) {
        return first(name).isPresent();
    }

    public List<String> names() {
        return entries.stream().map(Map.Entry::getKey).distinct().toList();
    }

    private static String decode(String raw) {
        try {
            return UriText.decode(raw);
        } catch (IllegalArgumentException e) {
            throw new S3Exception(S3Error.INVALID_URI, S3Error.INVALID_URI.message(), e);
        }
    }
}
