package io.dedupstore.server.s3;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.io.ByteSource;
import io.dedupstore.core.sigv4.PayloadMode;
import io.dedupstore.server.auth.AuthenticatedRequest;
import io.dedupstore.server.auth.BodySource;
import io.dedupstore.server.auth.Principal;
import io.dedupstore.server.http.HttpExchange;
import io.dedupstore.server.http.RequestBody;
import io.dedupstore.server.http.RequestHeaders;
import io.dedupstore.server.http.ResponseBody;
import io.dedupstore.server.http.ResponseHeaders;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * An object that the server itself makes, such as a log: a PUT that no client sent, so that the
 * bucket's versioning, encryption and locks hold for it as for every other. Nobody is asked whether
 * it may.
 */
public final class OwnUpload implements HttpExchange, AuthenticatedRequest, BodySource {
    private static final InetSocketAddress NOWHERE =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final Bucket bucket;
    private final String key;
    private final ByteBuffer content;
    private final RequestHeaders headers;
    private final Principal principal;
    private int status;

    /**
     * @param principal in whose name
     */
    public OwnUpload(
            Bucket bucket, String key, String contentType, byte[] content, Principal principal) {
        this.bucket = bucket;
        this.key = key;
        this.content = ByteBuffer.wrap(content);
        this.principal = principal;
        this.headers =
                RequestHeaders.of(
                        List.of(
                                Map.entry("host", "localhost"),
                                Map.entry("content-type", contentType),
                                Map.entry("content-length", Integer.toString(content.length))));
    }

    /**
     * @throws S3Exception as for a client
     */
    public void send(S3Operations operations, RandomGenerator random) throws IOException {
        S3Request request =
                new S3Request(
                        this,
                        this,
                        QueryParameters.parse(""),
                        RequestIds.next(random),
                        new S3Request.Client(NOWHERE.getAddress(), true));
        operations.execute(request, new S3Operation.PutObject(bucket.name(), key), bucket);
        if (status != 200) {
            throw new IllegalStateException("a PUT was answered with " + status);
        }
    }

    @Override
    public Principal principal() {
        return principal;
    }

    @Override
    public PayloadMode payloadMode() {
        return new PayloadMode.Unsigned();
    }

    @Override
    public boolean presigned() {
        return false;
    }

    @Override
    public OptionalLong payloadLength() {
        return OptionalLong.of(content.capacity());
    }

    @Override
    public BodySource openBody(ByteSource body) {
        return this;
    }

    @Override
    public OptionalLong declaredLength() {
        return payloadLength();
    }

    @Override
    public int read(ByteBuffer dst) {
        if (!content.hasRemaining()) {
            return -1;
        }
        int count = Math.min(dst.remaining(), content.remaining());
        dst.put(content.slice(content.position(), count));
        content.position(content.position() + count);
        return count;
    }

    @Override
    public Map<String, String> trailers() {
        return Map.of();
    }

    @Override
    public String method() {
        return "PUT";
    }

    @Override
    public String rawTarget() {
        return "/" + bucket.name() + "/" + UriText.encode(key);
    }

    @Override
    public RequestHeaders headers() {
        return headers;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return NOWHERE;
    }

    @Override
    public InetSocketAddress localAddress() {
        return NOWHERE;
    }

    @Override
    public boolean secure() {
        return true;
    }

    @Override
    public RequestBody body() {
        throw new IllegalStateException("there is no connection to read from");
    }

    @Override
    public boolean expectsContinue() {
        return false;
    }

    @Override
    public void sendContinue() {}

    @Override
    public boolean responseStarted() {
        return status != 0;
    }

    @Override
    public void respond(int responseStatus, ResponseHeaders responseHeaders, byte[] body) {
        status = responseStatus;
    }

    @Override
    public ResponseBody startResponse(
            int responseStatus, ResponseHeaders responseHeaders, long contentLength) {
        throw new IllegalStateException("nobody reads an answer");
    }
}
