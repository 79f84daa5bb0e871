package io.dedupstore.server.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import io.dedupstore.server.http.HttpExchange;
import io.dedupstore.server.http.RequestBody;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A request that was let in: what its path and its query say, and its body.
 *
 * <p>Whatever is not understood is refused with what would have been.
 */
record AdminRequest(HttpExchange exchange, Map<String, String> path, Map<String, String> query) {
    private static final int MAX_BODY_BYTES = 64 << 10;

    /**
     * Of a query as it came.
     *
     * @param known all others, and repeated ones, are refused
     */
    static Map<String, String> parseQuery(String raw, Set<String> known) {
        Map<String, String> query = new HashMap<>();
        for (String pair : raw.isEmpty() ? new String[0] : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = decode(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
            if (!known.contains(name)) {
                throw invalid(
                        "there is no parameter '"
                                + name
                                + "' here"
                                + (known.isEmpty() ? "" : "; there is " + known));
            }
            if (query.put(name, value) != null) {
                throw invalid("parameter " + name + " is there twice");
            }
        }
        return query;
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new AdminException(
                    AdminException.Code.INVALID_REQUEST, "the query is not well encoded", e);
        }
    }

    static AdminException invalid(String message) {
        return new AdminException(AdminException.Code.INVALID_REQUEST, message);
    }

    /** A number in the path; what is none names nothing. */
    long id(String name) {
        String text = String.valueOf(path.get(name));
        if (!text.matches("[0-9]{1,18}")) {
            throw new AdminException(
                    AdminException.Code.NOT_FOUND, "'" + text + "' is not the number of anything");
        }
        return Long.parseLong(text);
    }

    /** What stands for a segment in braces of the path. */
    String segment(String name) {
        return decode(String.valueOf(path.get(name)));
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(query.get(name));
    }

    boolean flag(String name) {
        return switch (text(name).orElse("false")) {
            case "true" -> true;
            case "false" -> false;
            default -> throw invalid(name + " is true or false");
        };
    }

    Optional<Long> number(String name, long max) {
        Optional<String> text = text(name);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        if (!text.get().matches("[0-9]{1,18}") || Long.parseLong(text.get()) > max) {
            throw invalid(name + " is a number from 0 to " + max + ", not '" + text.get() + "'");
        }
        return Optional.of(Long.parseLong(text.get()));
    }

    /**
     * @param like an example, for who sent something else
     */
    <T> T body(ObjectReader reader, String like) throws IOException {
        T body;
        try {
            body = reader.readValue(body());
        } catch (JsonProcessingException e) {
            throw new AdminException(
                    AdminException.Code.INVALID_REQUEST,
                    "the body must be like " + like + ": " + e.getOriginalMessage(),
                    e);
        }
        if (body == null) {
            throw invalid("the body must be like " + like);
        }
        return body;
    }

    private byte[] body() throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(MAX_BODY_BYTES + 1);
        try (RequestBody body = exchange.body()) {
            while (buffer.hasRemaining() && body.read(buffer) >= 0) {
                continue;
            }
        }
        if (!buffer.hasRemaining()) {
            throw new AdminException(
                    AdminException.Code.TOO_LARGE,
                    "the body may have at most " + MAX_BODY_BYTES + " bytes");
        }
        byte[] bytes = new byte[buffer.flip().remaining()];
        buffer.get(bytes);
        return bytes;
    }
}
