package io.dedupstore.bench.workload;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** JSON text of maps, lists, texts, numbers and booleans. */
public final class Json {
    private Json() {}

    public static String of(Object value) {
        return switch (value) {
            case Map<?, ?> map ->
                    map.entrySet().stream()
                            .map(e -> of(e.getKey().toString()) + ":" + of(e.getValue()))
                            .collect(Collectors.joining(",", "{", "}"));
            case List<?> list ->
                    list.stream().map(Json::of).collect(Collectors.joining(",", "[", "]"));
            case Double number when !Double.isFinite(number) -> "null";
            case Number number -> number.toString();
            case Boolean flag -> flag.toString();
            case String text -> quote(text);
            default -> throw new IllegalArgumentException("no JSON for " + value.getClass());
        };
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append("\\u%04x".formatted((int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
