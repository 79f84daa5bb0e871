package io.dedupstore.server.iam;

import io.dedupstore.core.control.ControlException;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.control.Identity;
import io.dedupstore.core.sigv4.RequestHead;
import io.dedupstore.core.sigv4.SigV4Exception;
import io.dedupstore.server.auth.Callers;
import io.dedupstore.server.auth.KeyMaker;
import io.dedupstore.server.auth.Principal;
import io.dedupstore.server.auth.QueryAuthenticator;
import io.dedupstore.server.http.ClientAbortException;
import io.dedupstore.server.http.HttpExchange;
import io.dedupstore.server.http.HttpHandler;
import io.dedupstore.server.http.ResponseHeaders;
import io.dedupstore.server.policy.Caller;
import io.dedupstore.server.policy.Facts;
import io.dedupstore.server.policy.Verdict;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a request of the query API from its body to its answer: authentication over the whole body,
 * one decision for each action, the action. Nothing is logged of bodies and answers, which hold
 * secrets. Blocking, on the request's virtual thread; safe for any number of them.
 */
public final class IamGateway implements HttpHandler {
    private static final Logger LOG = LoggerFactory.getLogger(IamGateway.class);
    private static final int MAX_BODY_BYTES = 256 << 10;
    private static final int READ_BYTES = 16 << 10;
    private static final int FORBIDDEN = 403;
    private static final String FORM = "application/x-www-form-urlencoded";

    /** Whoever has proved an identity may ask for these. */
    private static final Set<String> OPEN =
            Set.of("GetCallerIdentity", "GetSessionToken", "AssumeRole");

    private final QueryAuthenticator authenticator;
    private final Callers callers;
    private final RandomGenerator random;
    private final Map<String, Handler> iam = new HashMap<>();
    private final Map<String, Handler> sts = new HashMap<>();

    public IamGateway(
            ControlService control,
            QueryAuthenticator authenticator,
            Callers callers,
            KeyMaker keys,
            InstantSource clock,
            RandomGenerator random) {
        this.authenticator = authenticator;
        this.callers = callers;
        this.random = random;
        Identities identities = new Identities(control, keys, clock);
        new EntityActions(control, identities).addTo(iam);
        new PolicyActions(identities).addTo(iam);
        new KeyActions(control, identities, keys, clock).addTo(iam);
        new TokenActions(control, callers, keys, clock).addTo(sts);
    }

    /** Whether a request is of this API: a form sent to no bucket. */
    public static boolean takes(HttpExchange exchange) {
        String target = exchange.rawTarget();
        return exchange.method().equals("POST")
                && (target.equals("/") || target.startsWith("/?"))
                && exchange.headers()
                        .first("content-type")
                        .filter(type -> type.toLowerCase(Locale.ROOT).startsWith(FORM))
                        .isPresent();
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        String requestId = new UUID(random.nextLong(), random.nextLong()).toString();
        QueryService service = QueryService.IAM;
        try {
            byte[] body = read(exchange);
            RequestHead head =
                    new RequestHead(
                            exchange.method(), exchange.rawTarget(), exchange.headers().entries());
            Map<String, String> form = Call.parse(body);
            service = serviceOf(form);
            QueryAuthenticator.Proved proved = authenticator.authenticate(head, body);
            service = QueryService.ofName(proved.service()).orElse(service);
            Call call = new Call(proved.caller(), form);
            exchange.respond(200, headers(requestId), perform(service, call, requestId).toBytes());
        } catch (QueryException e) {
            refuse(exchange, service, requestId, e);
        } catch (SigV4Exception e) {
            refuse(exchange, service, requestId, notAuthentic(e));
        } catch (ControlException e) {
            refuse(exchange, service, requestId, failed(e));
        } catch (ClientAbortException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.error("request {} failed", requestId, e);
            refuse(
                    exchange,
                    service,
                    requestId,
                    new QueryException("ServiceFailure", 500, "The request has failed.", e));
        }
    }

    /** Where the signature does not say it: which documents errors are written as. */
    private QueryService serviceOf(Map<String, String> form) {
        return sts.containsKey(form.getOrDefault(Call.ACTION, ""))
                ? QueryService.STS
                : QueryService.IAM;
    }

    private QueryXml perform(QueryService service, Call call, String requestId) {
        Handler handler = (service == QueryService.STS ? sts : iam).get(call.action());
        if (handler == null) {
            throw new QueryException(
                    "InvalidAction",
                    400,
                    "Could not find operation "
                            + call.action()
                            + " for version "
                            + call.find("Version").orElse("NO_VERSION_SPECIFIED"));
        }
        requireAllowed(service, call);
        QueryXml xml = new QueryXml(call.action() + "Response", service.namespace());
        xml.open(call.action() + "Result");
        handler.handle(call, xml);
        xml.close();
        return xml.open("ResponseMetadata").text("RequestId", requestId).close();
    }

    private void requireAllowed(QueryService service, Call call) {
        if (service == QueryService.STS && OPEN.contains(call.action())) {
            return;
        }
        Caller caller = callers.caller(call.caller());
        String action = service.text() + ":" + call.action();
        String resource = resource(call);
        Verdict own = callers.ownPolicies(call.caller(), caller, action, resource, Facts.NONE);
        boolean session =
                callers.sessionAllows(call.caller(), caller, action, resource, Facts.NONE);
        if (own != Verdict.ALLOW || !session) {
            throw QueryException.accessDenied(
                    "User: %s is not authorized to perform: %s on resource: %s"
                            .formatted(call.caller().arn(), action, resource));
        }
    }

    /** What the action is about; a user that is not named is the caller. */
    private static String resource(Call call) {
        for (Identity.Kind kind : Identity.Kind.values()) {
            Optional<String> name = call.find(Identities.parameter(kind));
            if (name.isPresent()) {
                return Identities.arn(call.account(), kind, "/" + name.get());
            }
        }
        return call.caller().who() instanceof Principal.Who.User
                ? call.caller().arn()
                : "arn:aws:iam::" + call.account() + ":*";
    }

    private static byte[] read(HttpExchange exchange) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
        while (exchange.body().read(buffer) >= 0) {
            all.write(buffer.array(), 0, buffer.position());
            buffer.clear();
            if (all.size() > MAX_BODY_BYTES) {
                throw new QueryException("RequestEntityTooLarge", 413, "The request is too large.");
            }
        }
        return all.toByteArray();
    }

    private static QueryException notAuthentic(SigV4Exception e) {
        String message = String.valueOf(e.getMessage());
        return switch (e.reason()) {
            case UNKNOWN_ACCESS_KEY, INVALID_TOKEN ->
                    new QueryException(
                            "InvalidClientTokenId",
                            FORBIDDEN,
                            "The security token included in the request is invalid.",
                            e);
            case EXPIRED_TOKEN ->
                    new QueryException(
                            "ExpiredToken",
                            FORBIDDEN,
                            "The security token included in the request is expired",
                            e);
            case TIME_TOO_SKEWED ->
                    new QueryException("RequestExpired", 400, "Request has expired.", e);
            case SIGNATURE_MISMATCH, HEADER_MALFORMED, UNSIGNED_HEADERS ->
                    new QueryException("SignatureDoesNotMatch", FORBIDDEN, message, e);
            case NO_AUTHENTICATION ->
                    new QueryException("MissingAuthenticationToken", FORBIDDEN, message, e);
            default -> new QueryException("IncompleteSignature", 400, message, e);
        };
    }

    private static QueryException failed(ControlException e) {
        String message = String.valueOf(e.getMessage());
        return switch (e.code()) {
            case NO_SUCH_IDENTITY -> new QueryException("NoSuchEntity", 404, message, e);
            case IDENTITY_CHANGED -> new QueryException("ConcurrentModification", 409, message, e);
            case REFUSED -> new QueryException("InvalidInput", 400, message, e);
            default -> new QueryException("ServiceUnavailable", 503, "Try again.", e);
        };
    }

    private static void refuse(
            HttpExchange exchange, QueryService service, String requestId, QueryException e)
            throws IOException {
        QueryXml xml =
                new QueryXml("ErrorResponse", service.namespace())
                        .open("Error")
                        .text("Type", e.status() / 100 == 5 ? "Receiver" : "Sender")
                        .text("Code", e.code())
                        .text("Message", String.valueOf(e.getMessage()))
                        .close()
                        .text("RequestId", requestId);
        exchange.respond(e.status(), headers(requestId), xml.toBytes());
    }

    private static ResponseHeaders headers(String requestId) {
        return ResponseHeaders.create()
                .add("x-amzn-RequestId", requestId)
                .add("Cache-Control", "no-store")
                .add("Content-Type", "text/xml");
    }
}
