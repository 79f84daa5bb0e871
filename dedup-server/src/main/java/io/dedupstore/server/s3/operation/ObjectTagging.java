package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.metadata.VersionId;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.V;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.access.AccessCheck;
import java.io.IOException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Tags of an object, which change while its version stays. */
final class ObjectTagging {
    private final MetadataService metadata;
    private final Supplier<V> attempts;
    private final Documents documents;
    private final VersionFinder versions;
    private final AccessCheck access;

    ObjectTagging(S3Services services, Documents documents) {
        this.metadata = services.metadata();
        this.attempts = services.attempts();
        this.documents = documents;
        this.versions = new VersionFinder(services);
        this.access = services.access();
    }

    void get(S3Request request, Bucket bucket, S3Operation.GetObjectTagging operation)
            throws IOException {
        ObjectVersion version = find(request, bucket, operation.key());
        request.respond(new TagSet(version.attributes().tags()).document());
    }

    void put(S3Request request, Bucket bucket, S3Operation.PutObjectTagging operation)
            throws IOException {
        ObjectKey key = Keys.of(operation.key());
        Optional<VersionId> version = VersionIds.of(request);
        TagSet tags = TagSet.ofObject(documents.read(request, true));
        String action =
                request.query().nonEmpty("versionId").isPresent()
                        ? "s3:PutObjectVersionTagging"
                        : "s3:PutObjectTagging";
        access.requireAs(
                request, request.principal(), bucket, key.text(), action, Optional.of(tags.tags()));
        set(request, bucket, key, version, tags.byKey());
        request.respondEmpty(200);
    }

    void delete(S3Request request, Bucket bucket, S3Operation.DeleteObjectTagging operation)
            throws IOException {
        ObjectVersion version = find(request, bucket, operation.key());
        if (!version.attributes().tags().isEmpty()) {
            set(request, bucket, version.key(), Optional.of(version.id()), new TreeMap<>());
        }
        request.respondEmpty(204);
    }

    private void set(
            S3Request request,
            Bucket bucket,
            ObjectKey key,
            Optional<VersionId> version,
            SortedMap<String, String> tags) {
        VersionId changed =
                versions.change(
                        request,
                        bucket,
                        key,
                        () -> metadata.tagObject(attempts.get(), bucket.id(), key, version, tags));
        versions.name(request, bucket, changed);
    }

    private ObjectVersion find(S3Request request, Bucket bucket, String text) {
        return versions.find(request, bucket, Keys.of(text));
    }
}
