package io.dedupstore.server.admin;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One operation of the API.
 *
 * @param path segments, those in braces take any value: {@code /v1/jobs/{id}}
 * @param open needs no token, and overlooks query parameters
 * @param parameters query parameters it knows; all others are refused
 */
record AdminRoute(
        String method, String path, boolean open, Set<String> parameters, Operation operation) {

    /** Answers a request that was let in. */
    @FunctionalInterface
    interface Operation {
        AdminAnswer answer(AdminRequest request) throws Exception;
    }

    AdminRoute {
        parameters = Set.copyOf(parameters);
    }

    /** What the segments in braces stand for, if {@code asked} is of this route. */
    Optional<Map<String, String>> match(String asked) {
        List<String> template = List.of(path.split("/", -1));
        List<String> segments = List.of(asked.split("/", -1));
        if (template.size() != segments.size()) {
            return Optional.empty();
        }
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < template.size(); i++) {
            String expected = template.get(i);
            String found = segments.get(i);
            if (expected.startsWith("{") && !found.isEmpty()) {
                values.put(expected.substring(1, expected.length() - 1), found);
            } else if (!expected.equals(found)) {
                return Optional.empty();
            }
        }
        return Optional.of(values);
    }
}
