package io.dedupstore.client.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Answers fixed JSON by method and path, and remembers what it was asked. */
final class FakeServer implements AutoCloseable {
    static final String TOKEN = "a-token-for-the-test";

    final List<String> requests = new ArrayList<>();
    private final Map<String, String> answers = new HashMap<>();
    private final HttpServer server;

    FakeServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    FakeServer answer(String methodAndPath, String json) {
        answers.put(methodAndPath, json);
        return this;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String question = exchange.getRequestMethod() + " " + exchange.getRequestURI();
            String body =
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            requests.add((question + " " + body).strip());
            boolean known =
                    ("Bearer " + TOKEN)
                            .equals(exchange.getRequestHeaders().getFirst("Authorization"));
            String answer =
                    known
                            ? answers.get(question)
                            : "{\"status\":401,\"code\":\"unauthorized\",\"detail\":\"wrong token\"}";
            byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(known ? 200 : 401, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
