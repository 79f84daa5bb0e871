package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.MetadataException;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.V;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import java.io.IOException;

/** Gives up an upload and its parts. */
final class AbortMultipartUpload {
    private final S3Services services;

    AbortMultipartUpload(S3Services services) {
        this.services = services;
    }

    void handle(S3Request request, Bucket bucket, S3Operation.AbortMultipartUpload operation)
            throws IOException {
        ObjectKey key = Keys.of(operation.key());
        V upload = UploadIds.require(operation.uploadId());
        try {
            services.metadata().abortUpload(services.attempts().get(), bucket.id(), key, upload);
        } catch (MetadataException e) {
            if (e.code() == MetadataException.Code.NO_SUCH_UPLOAD) {
                throw UploadIds.notFound(operation.uploadId());
            }
            throw e;
        }
        request.respondEmpty(204);
    }
}
