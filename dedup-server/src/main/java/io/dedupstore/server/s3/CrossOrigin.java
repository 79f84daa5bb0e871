package io.dedupstore.server.s3;

import io.dedupstore.core.control.ControlService;
import io.dedupstore.server.http.HttpExchange;
import io.dedupstore.server.http.ResponseHeaders;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Requests that browsers send on behalf of pages of other origins, as the bucket's CORS rules have
 * it: preflights are answered without authentication, and responses to requests that a rule fits
 * say so, errors included. A request that no rule fits is served all the same; it is the browser
 * that keeps the answer from the page.
 */
final class CrossOrigin {
    private static final String VARY =
            "Origin, Access-Control-Request-Headers, Access-Control-Request-Method";
    private static final String REQUESTED_METHOD = "access-control-request-method";
    private static final String REQUESTED_HEADERS = "access-control-request-headers";
    private static final byte[] NO_BODY = new byte[0];

    private final ControlService control;
    private final List<String> baseDomains;

    /**
     * @param baseDomains for virtual-host style, lower case
     */
    CrossOrigin(ControlService control, List<String> baseDomains) {
        this.control = control;
        this.baseDomains = List.copyOf(baseDomains);
    }

    /** Answers OPTIONS. */
    void preflight(HttpExchange exchange, RequestIds ids) throws IOException {
        String origin =
                exchange.headers()
                        .first("origin")
                        .orElseThrow(
                                () ->
                                        new S3Exception(
                                                S3Error.BAD_REQUEST,
                                                "Insufficient information. Origin request header"
                                                        + " needed."));
        Optional<String> method = exchange.headers().first(REQUESTED_METHOD);
        if (method.isEmpty()) {
            throw new S3Exception(
                    S3Error.BAD_REQUEST, "Invalid Access-Control-Request-Method: null");
        }
        CorsRules rules =
                rules(exchange).orElseThrow(() -> new S3Exception(S3Error.ACCESS_FORBIDDEN));
        Optional<String> asked = exchange.headers().first(REQUESTED_HEADERS);
        CorsRules.Rule rule =
                rules.find(origin, method.get(), asked.map(CorsRules::names).orElse(List.of()))
                        .orElseThrow(
                                () ->
                                        new S3Exception(
                                                S3Error.ACCESS_FORBIDDEN,
                                                "CORSResponse: This CORS request is not allowed."
                                                        + " This is usually because the evalution of"
                                                        + " Origin, request method /"
                                                        + " Access-Control-Request-Method or"
                                                        + " Access-Control-Request-Headers are not"
                                                        + " whitelisted by the resource's CORS"
                                                        + " spec."));
        ResponseHeaders headers = S3Request.ids(ids);
        add(headers, rule, origin);
        asked.ifPresent(names -> headers.add("Access-Control-Allow-Headers", names));
        exchange.respond(200, headers, NO_BODY);
    }

    /** The exchange, its responses to say what the page that sent the request may see of them. */
    HttpExchange of(HttpExchange exchange) {
        Optional<String> origin = exchange.headers().first("origin");
        if (origin.isEmpty()) {
            return exchange;
        }
        String method = exchange.headers().first(REQUESTED_METHOD).orElse(exchange.method());
        return rules(exchange)
                .flatMap(rules -> rules.find(origin.get(), method, List.of()))
                .<HttpExchange>map(
                        rule ->
                                new DecoratedExchange(
                                        exchange, headers -> add(headers, rule, origin.get())))
                .orElse(exchange);
    }

    private Optional<CorsRules> rules(HttpExchange exchange) {
        String target = exchange.rawTarget();
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        if (!path.startsWith("/")) {
            return Optional.empty();
        }
        try {
            return S3Target.parse(path, exchange.headers().first("host"), baseDomains)
                    .bucket()
                    .flatMap(control::findBucket)
                    .flatMap(
                            bucket ->
                                    control.bucketConfiguration(
                                            bucket.id(), BucketConfiguration.CORS.subResource()))
                    .map(CorsRules::parse);
        } catch (S3Exception e) {
            // Not a target; whoever serves the request will say so.
            return Optional.empty();
        }
    }

    private static void add(ResponseHeaders headers, CorsRules.Rule rule, String origin) {
        headers.add("Access-Control-Allow-Origin", rule.anyOrigin() ? "*" : origin)
                .add("Access-Control-Allow-Methods", String.join(", ", rule.methods()));
        if (!rule.exposed().isEmpty()) {
            headers.add("Access-Control-Expose-Headers", String.join(", ", rule.exposed()));
        }
        rule.maxAgeSeconds()
                .ifPresent(
                        seconds -> headers.add("Access-Control-Max-Age", Long.toString(seconds)));
        if (!rule.anyOrigin()) {
            headers.add("Access-Control-Allow-Credentials", "true");
        }
        headers.add("Vary", VARY);
    }
}
