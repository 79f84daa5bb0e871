package io.dedupstore.server.admin;

import com.fasterxml.jackson.databind.ObjectReader;
import io.dedupstore.client.admin.AdminJson;
import io.dedupstore.client.admin.HashSetting;
import io.dedupstore.client.admin.NewBucket;
import io.dedupstore.client.admin.QuotaSetting;
import io.dedupstore.server.http.HttpExchange;
import io.dedupstore.server.http.HttpHandler;
import io.dedupstore.server.http.ResponseHeaders;
import io.dedupstore.server.metrics.MetricRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The admin port's handler: finds the route, asks for the token, answers JSON. */
public final class AdminApi implements HttpHandler {
    private static final Logger LOG = LoggerFactory.getLogger(AdminApi.class);
    private static final int DEFAULT_DIFFERENCES = 100;
    private static final int MAX_DIFFERENCES = 10_000;

    private final ObjectReader newBucket = AdminJson.strict().readerFor(NewBucket.class);
    private final ObjectReader quotaSetting = AdminJson.strict().readerFor(QuotaSetting.class);
    private final ObjectReader hashSetting = AdminJson.strict().readerFor(HashSetting.class);
    private final AdminToken token;
    private final AdminService service;
    private final IndexService index;
    private final List<AdminRoute> routes;

    public AdminApi(
            AdminToken token,
            AdminService service,
            IndexService index,
            JobService jobs,
            KeyService keys,
            AccountService accounts,
            MetricRegistry metrics) {
        this.token = token;
        this.service = service;
        this.index = index;
        this.routes = new ArrayList<>();
        routes.addAll(ofTheNode(metrics));
        routes.addAll(ofTheIndex());
        routes.addAll(ofJobs(jobs));
        routes.addAll(new KeyRoutes(keys).routes());
        routes.addAll(new AccountRoutes(accounts).routes());
    }

    private List<AdminRoute> ofTheNode(MetricRegistry metrics) {
        return List.of(
                open("/health/live", request -> AdminAnswer.live()),
                open("/health/ready", request -> AdminAnswer.readiness(service.readiness())),
                get("/metrics", request -> AdminAnswer.metrics(metrics.text())),
                get("/v1/stats", request -> AdminAnswer.json(service.stats())),
                get("/v1/status", request -> AdminAnswer.json(service.status())),
                get("/v1/hash", request -> AdminAnswer.json(service.hash())),
                new AdminRoute("PUT", "/v1/hash", false, Set.of(), this::setHash),
                get("/v1/buckets", request -> AdminAnswer.json(service.buckets())),
                post("/v1/buckets", Set.of(), this::createBucket),
                get("/v1/sessions", request -> AdminAnswer.json(service.sessions())),
                get("/v1/scrub", request -> AdminAnswer.json(service.scrub())),
                post("/v1/scrub", Set.of(), request -> AdminAnswer.json(service.startScrub())),
                post("/v1/compact", Set.of(), request -> AdminAnswer.json(service.compact())));
    }

    private List<AdminRoute> ofTheIndex() {
        return List.of(
                get("/v1/index", request -> AdminAnswer.json(index.index())),
                get("/v1/index/histogram", request -> AdminAnswer.json(index.histogram())),
                get("/v1/index/quota", request -> AdminAnswer.json(index.quota())),
                new AdminRoute("PUT", "/v1/index/quota", false, Set.of(), this::setQuota),
                post(
                        "/v1/index/prune",
                        Set.of("olderThan", "percent", "entries", "dryRun"),
                        request -> AdminAnswer.accepted(index.prune(PruneRequest.of(request)))),
                post(
                        "/v1/index/preload",
                        Set.of("what"),
                        request -> AdminAnswer.accepted(index.preload(preload(request)))),
                post("/v1/index/drain", Set.of(), request -> AdminAnswer.accepted(index.drain())),
                post(
                        "/v1/index/rebuild",
                        Set.of(),
                        request -> AdminAnswer.accepted(index.rebuild())),
                post("/v1/index/shrink", Set.of(), request -> AdminAnswer.accepted(index.shrink())),
                post("/v1/index/verify", Set.of("differences"), this::verify));
    }

    private static List<AdminRoute> ofJobs(JobService jobs) {
        return List.of(
                get("/v1/jobs", request -> AdminAnswer.json(jobs.jobs())),
                get("/v1/jobs/{id}", request -> AdminAnswer.json(jobs.job(request.id("id")))),
                post(
                        "/v1/jobs/{id}/cancel",
                        Set.of(),
                        request -> AdminAnswer.json(jobs.cancel(request.id("id")))));
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        AdminAnswer answer = answer(exchange);
        ResponseHeaders headers =
                ResponseHeaders.create()
                        .add("Content-Type", answer.contentType())
                        .add("Cache-Control", "no-store")
                        .add("X-Content-Type-Options", "nosniff");
        if (!answer.location().isEmpty()) {
            headers.add("Location", answer.location());
        }
        if (answer.status() == AdminException.Code.UNAUTHORIZED.status()) {
            headers.add("WWW-Authenticate", "Bearer realm=\"dedupstore-admin\"");
        }
        exchange.respond(answer.status(), headers, answer.body());
    }

    private AdminAnswer answer(HttpExchange exchange) throws IOException {
        try {
            AdminRoute route = route(exchange);
            return route.operation().answer(request(route, exchange));
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
        List<AdminRoute> there = routes.stream().filter(r -> r.match(path).isPresent()).toList();
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

    private static AdminRequest request(AdminRoute route, HttpExchange exchange) {
        String target = exchange.rawTarget();
        int query = target.indexOf('?');
        return new AdminRequest(
                exchange,
                route.match(path(exchange)).orElseThrow(),
                query < 0 || route.open()
                        ? Map.of()
                        : AdminRequest.parseQuery(target.substring(query + 1), route.parameters()));
    }

    private AdminAnswer createBucket(AdminRequest request) throws IOException {
        NewBucket wanted = request.body(newBucket, "{\"name\": \"photos\", \"chunking\": \"cdc\"}");
        if (wanted.name() == null) {
            throw AdminRequest.invalid("the body must name the bucket");
        }
        return AdminAnswer.json(service.createBucket(wanted));
    }

    private AdminAnswer setHash(AdminRequest request) throws IOException {
        HashSetting wanted = request.body(hashSetting, "{\"primaries\": 1}");
        return AdminAnswer.json(service.setHash(wanted));
    }

    private AdminAnswer setQuota(AdminRequest request) throws IOException {
        QuotaSetting wanted = request.body(quotaSetting, "{\"quota\": \"auto\"}");
        if (wanted.quota() == null) {
            throw AdminRequest.invalid("the body must name the quota");
        }
        return AdminAnswer.json(index.setQuota(wanted));
    }

    private static IndexService.Preload preload(AdminRequest request) {
        return switch (request.text("what").orElse("all")) {
            case "all" -> IndexService.Preload.ALL;
            case "filters" -> IndexService.Preload.FILTERS;
            default -> throw AdminRequest.invalid("what is all or filters");
        };
    }

    private AdminAnswer verify(AdminRequest request) {
        long named =
                request.number("differences", MAX_DIFFERENCES).orElse((long) DEFAULT_DIFFERENCES);
        return AdminAnswer.accepted(index.verify((int) named));
    }

    private static String path(HttpExchange exchange) {
        String target = exchange.rawTarget();
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    private static AdminRoute open(String path, AdminRoute.Operation operation) {
        return new AdminRoute("GET", path, true, Set.of(), operation);
    }

    private static AdminRoute get(String path, AdminRoute.Operation operation) {
        return new AdminRoute("GET", path, false, Set.of(), operation);
    }

    private static AdminRoute post(
            String path, Set<String> parameters, AdminRoute.Operation operation) {
        return new AdminRoute("POST", path, false, parameters, operation);
    }
}
