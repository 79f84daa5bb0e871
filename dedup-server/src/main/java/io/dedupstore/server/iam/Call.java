package io.dedupstore.server.iam;

import io.dedupstore.server.auth.Principal;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A request for an action, from somebody who has proved who it is.
 *
 * @param form what the body says, by name
 */
record Call(Principal.Account caller, Map<String, String> form) {
    static final String ACTION = "Action";

    /**
     * @throws QueryException not such a form
     */
    static Map<String, String> parse(byte[] body) {
        Map<String, String> form = new HashMap<>();
        for (String pair : new String(body, StandardCharsets.UTF_8).split("&")) {
            int equals = pair.indexOf('=');
            if (!pair.isEmpty()) {
                String name = decode(equals < 0 ? pair : pair.substring(0, equals));
                form.putIfAbsent(name, equals < 0 ? "" : decode(pair.substring(equals + 1)));
            }
        }
        return form;
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new QueryException(
                    "MalformedQueryString", 400, "The query string is malformed.", e);
        }
    }

    String account() {
        return caller.accountId();
    }

    String action() {
        return form.getOrDefault(ACTION, "");
    }

    Optional<String> find(String name) {
        return Optional.ofNullable(form.get(name)).filter(value -> !value.isEmpty());
    }

    /**
     * @throws QueryException there is none
     */
    String require(String name) {
        return find(name)
                .orElseThrow(
                        () ->
                                QueryException.validation(
                                        "1 validation error detected: Value null at '"
                                                + name
                                                + "' failed to satisfy constraint: Member must not be"
                                                + " null"));
    }

    int number(String name, int otherwise, int min, int max) {
        String text = find(name).orElse(Integer.toString(otherwise));
        if (!text.matches("[0-9]{1,9}")
                || Integer.parseInt(text) < min
                || Integer.parseInt(text) > max) {
            throw QueryException.validation(
                    "%s must be a number from %d to %d".formatted(name, min, max));
        }
        return Integer.parseInt(text);
    }
}
