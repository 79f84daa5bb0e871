package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.MetadataService.Deleted;
import io.dedupstore.core.metadata.VersionId;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.server.http.ResponseHeaders;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import java.io.IOException;
import java.util.Optional;

/** DELETE of a key or a version; one that is not there is deleted already. */
final class DeleteObject {
    private final ObjectDeletion deletion;

    DeleteObject(S3Services services) {
        this.deletion = new ObjectDeletion(services);
    }

    void handle(S3Request request, Bucket bucket, S3Operation.DeleteObject operation)
            throws IOException {
        ObjectKey key = Keys.of(operation.key());
        Optional<VersionId> version = VersionIds.of(request);
        WriteCondition condition = WriteCondition.ofDelete(request, key);
        boolean bypass = deletion.bypassesGovernance(request, bucket, operation.key());
        Deleted deleted = deletion.delete(bucket, condition, version, bypass);
        ResponseHeaders headers = request.newHeaders();
        deleted.version().ifPresent(id -> headers.add(VersionIds.HEADER, VersionIds.format(id)));
        if (deleted.deleteMarker()) {
            headers.add("x-amz-delete-marker", "true");
        }
        request.respond(204, headers);
    }
}
