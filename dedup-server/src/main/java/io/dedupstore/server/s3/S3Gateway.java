package io.dedupstore.server.s3;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.metadata.MetadataException;
import io.dedupstore.core.sigv4.RequestHead;
import io.dedupstore.server.auth.AuthenticatedRequest;
import io.dedupstore.server.http.ClientAbortException;
import io.dedupstore.server.http.FailureHandler;
import io.dedupstore.server.http.HttpExchange;
import io.dedupstore.server.http.HttpHandler;
import io.dedupstore.server.http.RequestHeaders;
import java.io.IOException;
import java.net.InetAddress;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a request through the S3 front in the order that clients notice: target, authentication,
 * bucket, permission, operation. Whatever fails on the way is answered with an error document; a
 * failure after the response has begun leaves the exchange to the HTTP server, which cuts the
 * connection.
 *
 * <p>Blocking, on the request's virtual thread; safe for any number of them.
 */
public final class S3Gateway implements HttpHandler, FailureHandler {
    private static final Logger LOG = LoggerFactory.getLogger(S3Gateway.class);

    private final S3RequestParser parser;
    private final Function<RequestHead, AuthenticatedRequest> authenticator;
    private final S3Access access;
    private final ControlService control;
    private final S3Operations operations;
    private final RandomGenerator random;
    private final ForwardedHost forwardedHost;
    private final ClientAddress clientAddress;
    private final AccessLog accessLog;
    private final CrossOrigin crossOrigin;
    private final PostForms forms;
    private final RequestLog requestLog;

    /**
     * @param authenticator throws SigV4Exception for what is not authentic
     * @param random for request ids; used by many threads
     * @param forms reads browsers' forms
     * @param requestLog hears of every request
     * @param trustedProxy peers whose X-Forwarded-Host is believed
     */
    public S3Gateway(
            S3Settings settings,
            Function<RequestHead, AuthenticatedRequest> authenticator,
            S3Access access,
            ControlService control,
            S3Operations operations,
            PostForms forms,
            RequestLog requestLog,
            RandomGenerator random,
            Predicate<InetAddress> trustedProxy) {
        this.parser = new S3RequestParser(settings.baseDomains());
        this.authenticator = authenticator;
        this.access = access;
        this.control = control;
        this.operations = operations;
        this.forms = forms;
        this.requestLog = requestLog;
        this.random = random;
        this.forwardedHost = new ForwardedHost(trustedProxy);
        this.clientAddress = new ClientAddress(trustedProxy);
        this.accessLog = new AccessLog(settings.accessLog());
        this.crossOrigin = new CrossOrigin(control, settings.baseDomains());
    }

    @Override
    public void handle(HttpExchange plain) throws IOException {
        MeasuredExchange measured = new MeasuredExchange(plain);
        HttpExchange exchange =
                plain.method().equals("OPTIONS") ? measured : crossOrigin.of(measured);
        RequestIds ids = RequestIds.next(random);
        AccessLog.Line line = accessLog.begin(exchange, ids);
        try {
            serve(exchange, ids, line);
        } catch (ClientAbortException e) {
            line.failed("ClientAbort");
            throw e;
        } catch (IOException | RuntimeException e) {
            answerFailure(exchange, ids, line, e);
        } finally {
            line.end();
            requestLog.record(line.logged(measured));
        }
    }

    /** For requests that the HTTP server could not hand to {@link #handle}. */
    @Override
    public void answer(HttpExchange exchange, Throwable failure) throws IOException {
        RequestIds ids = RequestIds.next(random);
        logFailure(ids, failure, S3Failures.toS3(failure));
        ErrorDocument.send(exchange, S3Failures.toS3(failure), ids);
    }

    private void serve(HttpExchange exchange, RequestIds ids, AccessLog.Line line)
            throws IOException {
        if (exchange.method().equals("OPTIONS")) {
            crossOrigin.preflight(exchange, ids);
            return;
        }
        InetAddress peer = exchange.remoteAddress().getAddress();
        RequestHeaders headers = forwardedHost.of(exchange.headers(), peer);
        S3RequestParser.Parsed parsed =
                parser.parse(exchange.method(), exchange.rawTarget(), headers);
        line.operation(parsed.operation());
        AuthenticatedRequest authenticated =
                authenticator.apply(
                        new RequestHead(
                                exchange.method(), exchange.rawTarget(), headers.entries()));
        line.principal(authenticated.principal());
        S3Request.Client client =
                new S3Request.Client(
                        clientAddress.of(headers, peer),
                        clientAddress.secure(headers, peer, exchange.secure()));
        if (parsed.operation() instanceof S3Operation.PostObject unread) {
            String name = bucket(unread.bucket()).name();
            PostForms.Opened form = forms.open(exchange, authenticated, name);
            line.principal(form.authenticated().principal());
            S3Request request =
                    new S3Request(
                            form.exchange(), form.authenticated(), parsed.query(), ids, client);
            admitted(request, form.operation());
        } else {
            admitted(
                    new S3Request(exchange, authenticated, parsed.query(), ids, client),
                    parsed.operation());
        }
    }

    /** Carries an operation out, if its principal may. */
    private void admitted(S3Request request, S3Operation wanted) throws IOException {
        switch (wanted) {
            case S3Operation.OfService operation -> {
                access.admit(request, operation);
                operations.execute(request, operation);
            }
            case S3Operation.OfBucket operation -> {
                Bucket bucket = bucket(operation.bucket());
                access.admit(request, operation, bucket);
                requireExpectedOwner(request, bucket);
                operations.execute(request, operation, bucket);
            }
            case S3Operation.OfObject operation -> {
                Bucket bucket = bucket(operation.bucket());
                access.admit(request, operation, bucket);
                requireExpectedOwner(request, bucket);
                execute(request, operation, bucket);
            }
        }
    }

    private Bucket bucket(String name) {
        return control.findBucket(name)
                .orElseThrow(
                        () -> new S3Exception(S3Error.NO_SUCH_BUCKET).with("BucketName", name));
    }

    /** That there is no such key is only for those to know who may list the bucket. */
    private void execute(S3Request request, S3Operation.OfObject operation, Bucket bucket)
            throws IOException {
        try {
            operations.execute(request, operation, bucket);
        } catch (S3Exception | MetadataException e) {
            S3Exception error = S3Failures.toS3(e);
            boolean tells =
                    error.error() == S3Error.NO_SUCH_KEY
                            || error.error() == S3Error.NO_SUCH_VERSION;
            if (tells && !access.mayList(request, bucket)) {
                throw new S3Exception(S3Error.ACCESS_DENIED);
            }
            throw e;
        }
    }

    private static void requireExpectedOwner(S3Request request, Bucket bucket) {
        request.header("x-amz-expected-bucket-owner")
                .filter(owner -> !owner.equals(bucket.owner()))
                .ifPresent(
                        owner -> {
                            throw new S3Exception(S3Error.ACCESS_DENIED);
                        });
    }

    private static void answerFailure(
            HttpExchange exchange, RequestIds ids, AccessLog.Line line, Exception failure)
            throws IOException {
        S3Exception error = S3Failures.toS3(failure);
        line.failed(error.error().code());
        logFailure(ids, failure, error);
        if (exchange.responseStarted()) {
            throw failure instanceof IOException e ? e : new IOException(failure);
        }
        ErrorDocument.send(exchange, error, ids);
    }

    private static void logFailure(RequestIds ids, Throwable failure, S3Exception error) {
        if (error.error() == S3Error.INTERNAL_ERROR) {
            LOG.error("request {} failed", ids.requestId(), failure);
        } else if (error.error().status() > S3Error.NOT_IMPLEMENTED.status()) {
            LOG.warn(
                    "request {} answered {}: {}",
                    ids.requestId(),
                    error.error().code(),
                    failure.toString());
        }
    }
}
