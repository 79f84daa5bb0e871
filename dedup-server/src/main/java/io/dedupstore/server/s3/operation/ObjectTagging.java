package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.V;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import java.io.IOException;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Tags of an object, which change while its version stays. */
final class ObjectTagging {
    private final MetadataService metadata;
    private final Supplier<V> attempts;
    private final Documents documents;

    ObjectTagging(S3Services services, Documents documents) {
        this.metadata = services.metadata();
        this.attempts = services.attempts();
        this.documents = documents;
    }

    void get(S3Request request, Bucket bucket, S3Operation.GetObjectTagging operation)
            throws IOException {
        ObjectVersion version = find(request, bucket, operation.key());
        request.respond(new TagSet(version.attributes().tags()).document());
    }

    void put(S3Request request, Bucket bucket, S3Operation.PutObjectTagging operation)
            throws IOException {
        ObjectKey key = Keys.of(operation.key());
        Keys.checkVersionId(request.query());
        TagSet tags = TagSet.ofObject(documents.read(request, true));
        set(bucket, key, tags.byKey());
        request.respondEmpty(200);
    }

    void delete(S3Request request, Bucket bucket, S3Operation.DeleteObjectTagging operation)
            throws IOException {
        ObjectVersion version = find(request, bucket, operation.key());
        if (!version.attributes().tags().isEmpty()) {
            set(bucket, version.key(), new TreeMap<>());
        }
        request.respondEmpty(204);
    }

    private void set(Bucket bucket, ObjectKey key, SortedMap<String, String> tags) {
        metadata.tagObject(attempts.get(), bucket.id(), key, tags);
    }

    private ObjectVersion find(S3Request request, Bucket bucket, String text) {
        ObjectKey key = Keys.of(text);
        Keys.checkVersionId(request.query());
        return metadata.findObject(bucket.id(), key).orElseThrow(() -> Keys.notFound(key));
    }
}
