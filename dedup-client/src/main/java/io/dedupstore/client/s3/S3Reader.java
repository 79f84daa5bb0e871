package io.dedupstore.client.s3;

import io.dedupstore.client.tls.AnyCertificate;
import io.dedupstore.core.sigv4.PayloadMode;
import io.dedupstore.core.sigv4.RequestHead;
import io.dedupstore.core.sigv4.SigV4Signer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;

/**
 * Lists and reads, blocking, for any number of platform threads. What may pass is tried again with
 * growing pauses: broken connections, stalls, {@code 429} and {@code 5xx}. Only the first request
 * of all fails at once where nobody listens, since then the endpoint is likely wrong.
 *
 * <p>Methods throw {@link S3Exception} for refusals and a server out of reach, and {@link
 * InterruptedIOException} when the thread is interrupted.
 */
public final class S3Reader implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration HEAD_TIMEOUT = Duration.ofMinutes(1);
    private static final int MAX_ERROR_BYTES = 64 << 10;

    /** A thousand keys of 1,024 bytes, each byte percent-encoded, and what stands around them. */
    private static final int MAX_PAGE_BYTES = 8 << 20;

    private final S3Connection connection;
    private final HttpClient http;
    private final @Nullable SigV4Signer signer;
    private final InstantSource clock;
    private final StallGuard guard = new StallGuard();
    private volatile boolean answered;

    public S3Reader(S3Connection connection, InstantSource clock) {
        this.connection = connection;
        this.clock = clock;
        HttpClient.Builder builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .connectTimeout(CONNECT_TIMEOUT);
        if (connection.trustAnyCertificate()) {
            builder.sslContext(AnyCertificate.context());
        }
        this.http = builder.build();
        S3Credentials keys = connection.credentials();
        this.signer =
                keys == null
                        ? null
                        : new SigV4Signer(keys.accessKey(), keys.secretKey(), connection.region());
    }

    /**
     * A page of at most 1,000 objects.
     *
     * @param continuation {@link S3Page#next} of the page before; null for the first one
     */
    public S3Page list(String bucket, String prefix, @Nullable String continuation)
            throws IOException {
        // In the order in which signatures want them.
        List<String> query = new ArrayList<>();
        if (continuation != null) {
            query.add(S3Names.parameter("continuation-token", continuation));
        }
        query.add("encoding-type=url");
        query.add("list-type=2");
        if (!prefix.isEmpty()) {
            query.add(S3Names.parameter("prefix", prefix));
        }
        String target = S3Names.path(bucket, "") + "?" + String.join("&", query);
        byte[] document = document("bucket " + bucket, target);
        try {
            return S3Xml.page(new ByteArrayInputStream(document));
        } catch (XMLStreamException e) {
            throw new S3Exception(
                    S3Exception.Code.NOT_S3,
                    connection.endpoint()
                            + " answered something else than an S3 server would; is it the S3"
                            + " endpoint? ("
                            + e.getMessage()
                            + ")",
                    e);
        }
    }

    private byte[] document(String what, String target) throws IOException {
        Backoff backoff = new Backoff();
        while (true) {
            try (InputStream body = send(what, target, List.of()).body()) {
                return body.readNBytes(MAX_PAGE_BYTES);
            } catch (IOException e) {
                if (Thread.currentThread().isInterrupted() || !backoff.pause()) {
                    throw e;
                }
            }
        }
    }

    /**
     * The bytes from (inclusive) to (exclusive) of exactly the version that was listed.
     *
     * @throws S3Exception {@code OBJECT_GONE} when that version is not there any more
     */
    public InputStream read(String bucket, S3Object object, long from, long to) {
        if (from < 0 || from >= to || to > object.size()) {
            throw new IllegalArgumentException("bytes " + from + " to " + to + " of " + object);
        }
        String name = bucket + "/" + object.key();
        String target = S3Names.path(bucket, object.key());
        return new ObjectStream(
                position -> open(name, target, object, position, to), guard, name, from, to);
    }

    private InputStream open(String name, String target, S3Object object, long from, long to)
            throws IOException {
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        headers.add(Map.entry("range", "bytes=" + from + "-" + (to - 1)));
        if (!object.etag().isEmpty()) {
            headers.add(Map.entry("if-match", object.etag()));
        }
        HttpResponse<InputStream> response = send(name, target, headers);
        if (response.statusCode() != 206 && (from > 0 || to < object.size())) {
            response.body().close();
            throw new S3Exception(
                    S3Exception.Code.NOT_S3,
                    connection.endpoint() + " does not answer requests for ranges of objects");
        }
        return response.body();
    }

    /** Sends until there is a success. */
    private HttpResponse<InputStream> send(
            String what, String target, List<Map.Entry<String, String>> headers)
            throws IOException {
        Backoff backoff = new Backoff();
        while (true) {
            S3Exception failure;
            try {
                HttpResponse<InputStream> response =
                        http.send(
                                request(target, headers),
                                HttpResponse.BodyHandlers.ofInputStream());
                answered = true;
                if (response.statusCode() / 100 == 2) {
                    return response;
                }
                failure = refused(what, response);
                if (!mayPass(response.statusCode())) {
                    throw failure;
                }
            } catch (IOException e) {
                failure = unreachable(e);
                if (e instanceof SSLException || (e instanceof ConnectException && !answered)) {
                    throw failure;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw (IOException) new InterruptedIOException("interrupted").initCause(e);
            }
            if (!backoff.pause()) {
                throw failure;
            }
        }
    }

    private static boolean mayPass(int status) {
        return status / 100 == 5 || status == 429 || status == 408;
    }

    private HttpRequest request(String target, List<Map.Entry<String, String>> headers) {
        HttpRequest.Builder builder =
                HttpRequest.newBuilder(connection.resolve(target)).timeout(HEAD_TIMEOUT).GET();
        for (Map.Entry<String, String> header : signed(target, headers)) {
            // The HTTP client sets this one itself, to the same value.
            if (!header.getKey().equals("host")) {
                builder.header(header.getKey(), header.getValue());
            }
        }
        return builder.build();
    }

    private List<Map.Entry<String, String>> signed(
            String target, List<Map.Entry<String, String>> headers) {
        S3Credentials keys = connection.credentials();
        if (signer == null || keys == null) {
            return headers;
        }
        List<Map.Entry<String, String>> all = new ArrayList<>(headers);
        all.add(Map.entry("host", connection.hostHeader()));
        if (keys.sessionToken() != null) {
            all.add(Map.entry("x-amz-security-token", keys.sessionToken()));
        }
        return signer.sign(
                        new RequestHead("GET", target, all),
                        new PayloadMode.SignedHash(PayloadMode.EMPTY_SHA256),
                        clock.instant())
                .head()
                .headers();
    }

    private S3Exception unreachable(IOException e) {
        String why;
        if (e instanceof SSLException) {
            why = "TLS failed: " + e.getMessage();
        } else if (e.getCause() instanceof UnresolvedAddressException) {
            why = "the host is not known";
        } else if (e instanceof ConnectException) {
            why = "no server answers there; is it running?";
        } else {
            why = e.toString();
        }
        return new S3Exception(
                S3Exception.Code.UNREACHABLE,
                "S3 endpoint " + connection.endpoint() + ": " + why,
                e);
    }

    private S3Exception refused(String what, HttpResponse<InputStream> response)
            throws IOException {
        byte[] document;
        try (InputStream body = response.body()) {
            document = body.readNBytes(MAX_ERROR_BYTES);
        }
        S3Xml.Refusal refusal =
                S3Xml.refusal(new ByteArrayInputStream(document))
                        .orElse(new S3Xml.Refusal("", "", ""));
        int status = response.statusCode();
        String region =
                response.headers().firstValue("x-amz-bucket-region").orElse(refusal.region());
        if (isElsewhere(status, refusal.code()) && !region.isEmpty()) {
            return new S3Exception(
                    S3Exception.Code.WRONG_REGION,
                    what + " is in region " + region + "; give --region " + region);
        }
        String said =
                refusal.code().isEmpty()
                        ? "status " + status + " without an S3 error; is it the S3 endpoint?"
                        : refusal.code() + ": " + refusal.message();
        return switch (refusal.code()) {
            case "NoSuchBucket" ->
                    new S3Exception(
                            S3Exception.Code.NO_SUCH_BUCKET,
                            "there is no " + what + " at " + connection.endpoint());
            case "NoSuchKey", "PreconditionFailed" ->
                    new S3Exception(S3Exception.Code.OBJECT_GONE, what + ": " + said);
            default ->
                    status == 401 || status == 403
                            ? new S3Exception(
                                    S3Exception.Code.ACCESS_DENIED,
                                    "access to %s at %s is denied (%s)"
                                            .formatted(what, connection.endpoint(), said))
                            : new S3Exception(
                                    status == 404 || status == 412
                                            ? S3Exception.Code.OBJECT_GONE
                                            : S3Exception.Code.REFUSED,
                                    "%s at %s: %s".formatted(what, connection.endpoint(), said));
        };
    }

    private static boolean isElsewhere(int status, String code) {
        return status == 301
                || status == 307
                || code.equals("PermanentRedirect")
                || code.equals("AuthorizationHeaderMalformed");
    }

    @Override
    public void close() {
        guard.close();
        http.shutdownNow();
        http.close();
    }
}
