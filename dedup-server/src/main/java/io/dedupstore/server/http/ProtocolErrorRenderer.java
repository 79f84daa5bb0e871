package io.dedupstore.server.http;

import java.nio.charset.StandardCharsets;

/**
 * Gives protocol errors the form that the port's clients understand. Runs on an event loop: no
 * blocking.
 */
@FunctionalInterface
public interface ProtocolErrorRenderer {
    record Rendered(int status, ResponseHeaders headers, byte[] body) {}

    /**
     * @param detail one sentence for the client
     */
    Rendered render(ProtocolError error, String detail);

    static ProtocolErrorRenderer plainText() {
        return (error, detail) ->
                new Rendered(
                        error.status(),
                        ResponseHeaders.create().add("Content-Type", "text/plain; charset=utf-8"),
                        (detail + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
