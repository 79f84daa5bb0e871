package io.dedupstore.server.s3;

import io.dedupstore.server.http.ProtocolError;
import io.dedupstore.server.http.ProtocolErrorRenderer;
import io.dedupstore.server.http.ResponseHeaders;
import java.util.random.RandomGenerator;

/** Requests that were not proper HTTP, answered as S3 clients understand. */
public final class ProtocolErrors implements ProtocolErrorRenderer {
    private final RandomGenerator random;

    /**
     * @param random for request ids
     */
    public ProtocolErrors(RandomGenerator random) {
        this.random = random;
    }

    @Override
    public Rendered render(ProtocolError error, String detail) {
        S3Error code =
                switch (error) {
                    case MALFORMED, UNSUPPORTED_VERSION -> S3Error.BAD_REQUEST;
                    case TARGET_TOO_LONG, HEADERS_TOO_LARGE ->
                            S3Error.REQUEST_HEADER_SECTION_TOO_LARGE;
                    case REQUEST_TIMEOUT -> S3Error.REQUEST_TIMEOUT;
                    case TOO_MANY_CONNECTIONS -> S3Error.SLOW_DOWN;
                };
        RequestIds ids = RequestIds.next(random);
        ResponseHeaders headers = S3Request.ids(ids).set("Content-Type", XmlWriter.CONTENT_TYPE);
        byte[] body = ErrorDocument.document(new S3Exception(code, detail), ids, "/");
        return new Rendered(code.status(), headers, body);
    }
}
