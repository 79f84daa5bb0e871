package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.ObjectLock;
import io.dedupstore.core.metadata.Retention;
import io.dedupstore.core.metadata.VersionId;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.V;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/** Retention and legal hold of versions; what the lock there allows is the metadata's to say. */
final class ObjectLocks {
    private final MetadataService metadata;
    private final ControlService control;
    private final Supplier<V> attempts;
    private final InstantSource clock;
    private final Documents documents;
    private final VersionFinder versions;
    private final ObjectDeletion deletion;

    ObjectLocks(S3Services services, Documents documents) {
        this.metadata = services.metadata();
        this.control = services.control();
        this.attempts = services.attempts();
        this.clock = services.clock();
        this.documents = documents;
        this.versions = new VersionFinder(services);
        this.deletion = new ObjectDeletion(services);
    }

    void getRetention(S3Request request, Bucket bucket, S3Operation.GetObjectRetention operation)
            throws IOException {
        Retention retention =
                lock(request, bucket, operation.key()).retention().orElseThrow(ObjectLocks::none);
        request.respond(LockDocuments.retention(retention));
    }

    void getLegalHold(S3Request request, Bucket bucket, S3Operation.GetObjectLegalHold operation)
            throws IOException {
        boolean on =
                lock(request, bucket, operation.key()).legalHold().orElseThrow(ObjectLocks::none);
        request.respond(LockDocuments.legalHold(on));
    }

    private ObjectLock lock(S3Request request, Bucket bucket, String key) {
        WriteLocks.requireLocks(control, bucket);
        return versions.find(request, bucket, Keys.of(key)).attributes().lock();
    }

    private static S3Exception none() {
        return new S3Exception(S3Error.NO_SUCH_OBJECT_LOCK_CONFIGURATION);
    }

    void putRetention(S3Request request, Bucket bucket, S3Operation.PutObjectRetention operation)
            throws IOException {
        ObjectKey key = Keys.of(operation.key());
        Optional<VersionId> version = VersionIds.of(request);
        WriteLocks.requireLocks(control, bucket);
        Optional<Retention> retention =
                LockDocuments.retention(documents.read(request, true), clock.millis());
        boolean bypass = deletion.bypassesGovernance(request, bucket, operation.key());
        VersionId changed =
                versions.change(
                        request,
                        bucket,
                        key,
                        () ->
                                metadata.setRetention(
                                        attempts.get(),
                                        bucket.id(),
                                        key,
                                        version,
                                        retention,
                                        bypass));
        versions.name(request, bucket, changed);
        request.respondEmpty(200);
    }

    void putLegalHold(S3Request request, Bucket bucket, S3Operation.PutObjectLegalHold operation)
            throws IOException {
        ObjectKey key = Keys.of(operation.key());
        Optional<VersionId> version = VersionIds.of(request);
        WriteLocks.requireLocks(control, bucket);
        boolean on = LockDocuments.legalHold(documents.read(request, true));
        VersionId changed =
                versions.change(
                        request,
                        bucket,
                        key,
                        () -> metadata.setLegalHold(attempts.get(), bucket.id(), key, version, on));
        versions.name(request, bucket, changed);
        request.respondEmpty(200);
    }
}
