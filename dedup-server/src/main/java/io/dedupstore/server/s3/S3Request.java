package io.dedupstore.server.s3;

import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.sigv4.PayloadMode;
import io.dedupstore.server.auth.AuthenticatedRequest;
import io.dedupstore.server.auth.BodySource;
import io.dedupstore.server.auth.Principal;
import io.dedupstore.server.auth.Proof;
import io.dedupstore.server.http.HttpExchange;
import io.dedupstore.server.http.RequestHeaders;
import io.dedupstore.server.http.ResponseBody;
import io.dedupstore.server.http.ResponseHeaders;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** An authenticated request on its way through its handler; one thread's. */
public final class S3Request {
    private static final byte[] NO_BODY = new byte[0];

    /** What proxies add: the client may be anywhere. */
    private static final List<String> FORWARDING =
            List.of("forwarded", "via", "x-forwarded-for", "x-forwarded-proto");

    private final HttpExchange exchange;
    private final AuthenticatedRequest authenticated;
    private final QueryParameters query;
    private final RequestIds ids;
    private final RequestHeaders headers;
    private final Client client;
    private final List<Consumer<ObjectVersion>> rechecks = new ArrayList<>();

    /** What all answers say that are not errors. */
    private final Map<String, String> said = new LinkedHashMap<>();

    S3Request(
            HttpExchange exchange,
            AuthenticatedRequest authenticated,
            QueryParameters query,
            RequestIds ids,
            Client client) {
        this.exchange = exchange;
        this.authenticated = authenticated;
        this.query = query;
        this.ids = ids;
        this.client = client;
        this.headers =
                authenticated.presigned()
                        ? HoistedHeaders.merge(exchange.headers(), query)
                        : exchange.headers();
    }

    /**
     * Where a request comes from.
     *
     * @param secure whether on an encrypted connection
     */
    record Client(InetAddress address, boolean secure) {}

    public InetAddress clientAddress() {
        return client.address();
    }

    /** Whether the client's connection is encrypted, as far as trusted proxies say. */
    public boolean clientSecure() {
        return client.secure();
    }

    /** How the sender proved who it is; empty for the anonymous. */
    public Optional<Proof> proof() {
        return authenticated.proof();
    }

    /** A decision that rested on an object as it was then, to be repeated on what is read. */
    public void recheckWith(Consumer<ObjectVersion> recheck) {
        rechecks.add(recheck);
    }

    /**
     * To be called with each version that an operation is about to show: the one that access was
     * decided on may have been replaced meanwhile.
     *
     * @throws S3Exception AccessDenied
     */
    public void requireAllowed(ObjectVersion version) {
        rechecks.forEach(recheck -> recheck.accept(version));
    }

    public Principal principal() {
        return authenticated.principal();
    }

    /**
     * @throws S3Exception AccessDenied for the anonymous
     */
    public String accountId() {
        return switch (principal()) {
            case Principal.Account account -> account.accountId();
            case Principal.Anonymous anonymous -> throw new S3Exception(S3Error.ACCESS_DENIED);
        };
    }

    public QueryParameters query() {
        return query;
    }

    /** The first value of a header; {@code name} in lower case. One byte per char. */
    public Optional<String> header(String name) {
        return headers.first(name);
    }

    /** Every value of a header. */
    public List<String> headerValues(String name) {
        return headers.all(name);
    }

    /** Names of the headers, in lower case, in order. */
    public List<String> headerNames() {
        return headers.entries().stream().map(entry -> entry.getKey()).distinct().toList();
    }

    /** As {@link #header}, an empty value counting as none. */
    public Optional<String> nonEmptyHeader(String name) {
        return header(name).map(String::strip).filter(value -> !value.isEmpty());
    }

    /** The address of what the request is about, as the client wrote it, without the query. */
    public String location() {
        String target = exchange.rawTarget();
        int mark = target.indexOf('?');
        return (exchange.secure() ? "https://" : "http://")
                + header("host").orElse("localhost")
                + (mark < 0 ? target : target.substring(0, mark));
    }

    /** Whether the request came over TLS. */
    public boolean secure() {
        return exchange.secure();
    }

    /** Whether nobody between the client and this server is on another machine. */
    public boolean staysOnThisMachine() {
        return exchange.remoteAddress().getAddress().isLoopbackAddress()
                && FORWARDING.stream().noneMatch(exchange.headers()::contains);
    }

    /** Whether a length was said or the body comes in pieces that say theirs. */
    public boolean hasBodyLength() {
        return header("content-length").isPresent() || header("transfer-encoding").isPresent();
    }

    /** The payload's length, framing not counted, where the client said it. */
    public OptionalLong payloadLength() {
        return authenticated.payloadLength();
    }

    /** Whether the payload ends in fields of its own. */
    public boolean expectsTrailer() {
        return switch (authenticated.payloadMode()) {
            case PayloadMode.SignedHash mode -> false;
            case PayloadMode.Unsigned mode -> false;
            case PayloadMode.StreamingSigned mode -> false;
            case PayloadMode.StreamingSignedTrailer mode -> true;
            case PayloadMode.StreamingUnsignedTrailer mode -> true;
        };
    }

    /**
     * The payload; to be called once, when everything that can be said without it has been checked.
     */
    public BodySource openBody() {
        return authenticated.openBody(target -> exchange.body().read(target));
    }

    /** Headers of a response, the request's ids in them. */
    public ResponseHeaders newHeaders() {
        ResponseHeaders answer = ids(ids);
        said.forEach(answer::set);
        return answer;
    }

    /** Has all answers but errors say this. */
    public void addToAnswers(String name, String value) {
        said.put(name, value);
    }

    static ResponseHeaders ids(RequestIds ids) {
        return ResponseHeaders.create()
                .add("x-amz-request-id", ids.requestId())
                .add("x-amz-id-2", ids.hostId());
    }

    public void respond(int status, ResponseHeaders headers) throws IOException {
        exchange.respond(status, headers, NO_BODY);
    }

    public void respondEmpty(int status) throws IOException {
        respond(status, newHeaders());
    }

    /** Answers 200 with a document. */
    public void respond(XmlWriter document) throws IOException {
        respond(newHeaders(), document);
    }

    public void respond(ResponseHeaders headers, XmlWriter document) throws IOException {
        respond(200, headers, document);
    }

    public void respond(int status, ResponseHeaders headers, XmlWriter document)
            throws IOException {
        headers.set("Content-Type", XmlWriter.CONTENT_TYPE);
        exchange.respond(status, headers, document.toBytes());
    }

    /** Answers 200 with a document of another kind than XML. */
    public void respondAs(String contentType, byte[] document) throws IOException {
        exchange.respond(200, newHeaders().set("Content-Type", contentType), document);
    }

    /** Answers 200 with a document that is kept as it is answered. */
    public void respond(byte[] document) throws IOException {
        respond(newHeaders(), document);
    }

    public void respond(ResponseHeaders headers, byte[] document) throws IOException {
        exchange.respond(200, headers.set("Content-Type", XmlWriter.CONTENT_TYPE), document);
    }

    /**
     * Answers HEAD.
     *
     * @param contentLength of the body that GET would send
     */
    public void respondHead(int status, ResponseHeaders headers, long contentLength)
            throws IOException {
        exchange.startResponse(status, headers, contentLength).close();
    }

    public ResponseBody startResponse(int status, ResponseHeaders headers, long contentLength)
            throws IOException {
        return exchange.startResponse(status, headers, contentLength);
    }
}
