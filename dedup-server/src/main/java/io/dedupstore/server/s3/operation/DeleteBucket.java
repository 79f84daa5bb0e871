package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.MetadataException;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.MetadataService.UploadPage;
import io.dedupstore.core.metadata.Upload;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import java.io.IOException;
import java.util.Optional;

/**
 * Removes an empty bucket: its shard refuses writes from now on, its open uploads are given up, its
 * name is forgotten. Each step may be repeated, so a delete that broke off is finished by the next
 * one.
 */
final class DeleteBucket {
    private final S3Services services;
    private final MetadataService metadata;

    DeleteBucket(S3Services services) {
        this.services = services;
        this.metadata = services.metadata();
    }

    void handle(S3Request request, Bucket bucket, S3Operation.DeleteBucket operation)
            throws IOException {
        metadata.sealBucket(services.attempts().get(), bucket.id());
        UploadPage page;
        do {
            page =
                    metadata.listUploads(
                            bucket.id(), "", Optional.empty(), Optional.empty(), Numbers.MAX_PAGE);
            page.uploads().forEach(upload -> abort(bucket, upload));
        } while (page.truncated());
        services.control().dropBucket(bucket.id());
        request.respondEmpty(204);
    }

    private void abort(Bucket bucket, Upload upload) {
        try {
            metadata.abortUpload(services.attempts().get(), bucket.id(), upload.key(), upload.id());
        } catch (MetadataException e) {
            if (e.code() != MetadataException.Code.NO_SUCH_UPLOAD) {
                throw e;
            }
        }
    }
}
