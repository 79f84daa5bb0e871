package io.dedupstore.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A bucket whose listing never ends, of objects that are all the same. */
final class EndlessBucket implements AutoCloseable {
    private static final byte[] CONTENT = TestFiles.bytes(1, 256 << 10);
    private static final int PAGE = 1000;

    private final AtomicLong listed = new AtomicLong();
    private final AtomicInteger read = new AtomicInteger();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;

    EndlessBucket() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** How many objects were read. */
    int read() {
        return read.get();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (exchange.getRequestURI().getPath().equals("/endless")) {
                answer(exchange, 200, page());
            } else {
                answer(exchange, 206, CONTENT);
                read.incrementAndGet();
            }
        }
    }

    private byte[] page() {
        StringBuilder xml = new StringBuilder("<ListBucketResult>");
        for (int i = 0; i < PAGE; i++) {
            xml.append("<Contents><Key>object-")
                    .append(listed.incrementAndGet())
                    .append("</Key><Size>")
                    .append(CONTENT.length)
                    .append("</Size></Contents>");
        }
        return xml.append("<IsTruncated>true</IsTruncated>")
                .append("<NextContinuationToken>more</NextContinuationToken></ListBucketResult>")
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }

    private static void answer(HttpExchange exchange, int status, byte[] bytes) throws IOException {
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
