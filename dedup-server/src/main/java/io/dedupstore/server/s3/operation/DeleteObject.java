package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.V;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/** DELETE of a key; one that is not there is deleted already. */
final class DeleteObject {
    /** Conditions that the API has for directory buckets only. */
    private static final List<String> NOT_IMPLEMENTED =
            List.of("x-amz-if-match-last-modified-time", "x-amz-if-match-size");

    private final MetadataService metadata;
    private final Supplier<V> attempts;

    DeleteObject(S3Services services) {
        this.metadata = services.metadata();
        this.attempts = services.attempts();
    }

    void handle(S3Request request, Bucket bucket, S3Operation.DeleteObject operation)
            throws IOException {
        ObjectKey key = Keys.of(operation.key());
        Keys.checkVersionId(request.query());
        for (String header : NOT_IMPLEMENTED) {
            if (request.header(header).isPresent()) {
                throw S3Exception.notImplementedHeader(header);
            }
        }
        WriteCondition condition = WriteCondition.of(request, key);
        condition.decide(
                () ->
                        metadata.deleteObject(
                                bucket.id(), key, attempts.get(), condition.precondition()));
        request.respondEmpty(204);
    }
}
