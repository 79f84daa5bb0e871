package io.dedupstore.server.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import io.dedupstore.client.admin.AdminJson;
import io.dedupstore.client.admin.NewBucket;
import io.dedupstore.server.http.HttpExchange;
import io.dedupstore.server.http.HttpHandler;
import io.dedupstore.server.http.RequestBody;
import io.dedupstore.server.http.ResponseHeaders;
import io.dedupstore.server.metrics.MetricRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The admin port's handler: finds the route, asks for the token, answers JSON. */
public final class AdminApi implements HttpHandler {
    private static final Logger LOG = LoggerFactory.getLogger(AdminApi.class);
    private static final int MAX_BODY_BYTES = 64 << 10;

    private final ObjectReader newBucket = AdminJson.strict().readerFor(NewBucket.class);
    private final AdminToken token;
    private final AdminService service;
    private final List<AdminRoute> routes;

    public AdminApi(AdminToken token, AdminService service, MetricRegistry metrics) {
        this.token = token;
        this.service = service;
        this.routes =
                List.of(
                        open("/health/live", exchange -> AdminAnswer.live()),
                        open(
                                "/health/ready",
                                exchange -> AdminAnswer.readiness(service.readiness())),
                        get("/metrics", exchange -> AdminAnswer.metrics(metrics.text())),
                        get("/v1/stats", exchange -> AdminAnswer.json(service.stats())),
                        get("/v1/status", exchange -> AdminAnswer.json(service.status())),
                        get("/v1/hash", exchange -> AdminAnswer.json(service.hash())),
                        get("/v1/buckets", exchange -> AdminAnswer.json(service.buckets())),
                        post("/v1/buckets", this::createBucket),
                        get("/v1/sessions", exchange -> AdminAnswer.json(service.sessions())),
                        post("/v1/compact", exchange -> AdminAnswer.json(service.compact())),
                        get(
                                "/v1/index/histogram",
                                exchange -> AdminAnswer.json(service.indexHistogram())));
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        AdminAnswer answer = answer(exchange);
        ResponseHeaders headers =
                ResponseHeaders.create()
                        .add("Content-Type", answer.contentType())
                        .add("Cache-Control", "no-store")
                        .add("X-Content-Type-Options", "nosniff");
        if (answer.status() == AdminException.Code.UNAUTHORIZED.status()) {
            headers.add("WWW-Authenticate", "Bearer realm=\"dedupstore-admin\"");
        }
        exchange.respond(answer.status(), headers, answer.body());
    }

    private AdminAnswer answer(HttpExchange exchange) throws IOException {
        try {
            return route(exchange).operation().answer(exchange);
        } catch (AdminException e) {
            return AdminAnswer.problem(e.code(), String.valueOf(e.getMessage()));
        } catch (IOException e) {
            // The connection, not the request, is at fault.
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return AdminAnswer.problem(
                    AdminException.Code.UNAVAILABLE, "the server is stopping; ask again later");
        } catch (Exception e) {
            LOG.error("{} {} failed", exchange.method(), path(exchange), e);
            return AdminAnswer.problem(
                    AdminException.Code.INTERNAL, "the server failed; its log tells why");
        }
    }

    /** Whoever has no token learns nothing, not even which paths there are. */
    private AdminRoute route(HttpExchange exchange) {
        String path = path(exchange);
        List<AdminRoute> there = routes.stream().filter(r -> r.path().equals(path)).toList();
        boolean open = !there.isEmpty() && there.stream().allMatch(AdminRoute::open);
        if (!open && exchange.headers().first("authorization").filter(token::opens).isEmpty()) {
            throw new AdminException(
                    AdminException.Code.UNAUTHORIZED,
                    "send the header Authorization: Bearer TOKEN; the token is in"
                            + " root-credentials.json in the data directory");
        }
        if (there.isEmpty()) {
            throw new AdminException(AdminException.Code.NOT_FOUND, "there is no " + path);
        }
        String method = exchange.method().equals("HEAD") ? "GET" : exchange.method();
        return there.stream()
                .filter(route -> route.method().equals(method))
                .findFirst()
                .orElseThrow(
                        () ->
                                new AdminException(
                                        AdminException.Code.METHOD_NOT_ALLOWED,
                                        path
                                                + " takes "
                                                + there.stream().map(AdminRoute::method).toList()));
    }

    private AdminAnswer createBucket(HttpExchange exchange) throws IOException {
        NewBucket wanted;
        try {
            wanted = newBucket.readValue(body(exchange));
        } catch (JsonProcessingException e) {
            throw new AdminException(
                    AdminException.Code.INVALID_REQUEST,
                    "the body must be like {\"name\": \"photos\", \"chunking\": \"cdc\"}: "
                            + e.getOriginalMessage(),
                    e);
        }
        if (wanted == null || wanted.name() == null) {
            throw new AdminException(
                    AdminException.Code.INVALID_REQUEST, "the body must name the bucket");
        }
        return AdminAnswer.json(service.createBucket(wanted));
    }

    private static byte[] body(HttpExchange exchange) throws IOException {
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

    private static String path(HttpExchange exchange) {
        String target = exchange.rawTarget();
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    private static AdminRoute open(String path, AdminRoute.Operation operation) {
        return new AdminRoute("GET", path, true, operation);
    }

    private static AdminRoute get(String path, AdminRoute.Operation operation) {
        return new AdminRoute("GET", path, false, operation);
    }

    private static AdminRoute post(String path, AdminRoute.Operation operation) {
        return new AdminRoute("POST", path, false, operation);
    }
}
