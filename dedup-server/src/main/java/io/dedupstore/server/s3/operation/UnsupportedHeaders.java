package io.dedupstore.server.s3.operation;

import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import java.util.List;

/** Headers of writes whose promise this server can't keep. To ignore them would be to break it. */
final class UnsupportedHeaders {
    private static final List<String> NOT_IMPLEMENTED = List.of("x-amz-write-offset-bytes");

    private UnsupportedHeaders() {}

    /** For operations that make objects or uploads. */
    static void check(S3Request request) {
        for (String name : request.headerNames()) {
            if (NOT_IMPLEMENTED.stream().anyMatch(name::startsWith)) {
                throw S3Exception.notImplementedHeader(name);
            }
        }
    }
}
