package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.metadata.MetadataException;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.MetadataService.Stored;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.metadata.VersionId;
import io.dedupstore.core.metadata.Versioning;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.server.s3.S3Dates;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The version that a request is about: the one its query names, or the current one. Every answer
 * then says which one that was, where the bucket has versions.
 */
final class VersionFinder {
    private static final String DELETE_MARKER = "x-amz-delete-marker";

    private final MetadataService metadata;
    private final ControlService control;

    VersionFinder(S3Services services) {
        this.metadata = services.metadata();
        this.control = services.control();
    }

    /**
     * @throws S3Exception NoSuchKey, NoSuchVersion, MethodNotAllowed
     */
    ObjectVersion find(S3Request request, Bucket bucket, ObjectKey key) {
        Optional<VersionId> id = VersionIds.of(request);
        Optional<ObjectVersion> found = metadata.findVersion(bucket.id(), key, id);
        ObjectVersion version = require(key, id, found);
        name(request, bucket, version.id());
        return version;
    }

    /** The same, with its body. */
    Stored open(S3Request request, Bucket bucket, ObjectKey key) {
        Optional<VersionId> id = VersionIds.of(request);
        Optional<Stored> found = metadata.openVersion(bucket.id(), key, id);
        ObjectVersion version = require(key, id, found.map(Stored::version));
        name(request, bucket, version.id());
        return found.orElseThrow();
    }

    /** Runs a change of a version; where it is refused, says why as a read would. */
    VersionId change(S3Request request, Bucket bucket, ObjectKey key, Supplier<VersionId> change) {
        try {
            return change.get();
        } catch (MetadataException e) {
            switch (e.code()) {
                case NO_SUCH_KEY, NO_SUCH_VERSION, IS_DELETE_MARKER -> find(request, bucket, key);
                default -> {}
            }
            throw e;
        }
    }

    /** Says in all answers to the request which version it was about. */
    void name(S3Request request, Bucket bucket, VersionId id) {
        if (id instanceof VersionId.Named
                || BucketVersioning.of(control, bucket) != Versioning.NEVER) {
            request.addToAnswers(VersionIds.HEADER, VersionIds.format(id));
        }
    }

    static ObjectVersion require(
            ObjectKey key, Optional<VersionId> id, Optional<ObjectVersion> found) {
        ObjectVersion version =
                found.orElseThrow(
                        () -> id.map(one -> noSuchVersion(key, one)).orElse(Keys.notFound(key)));
        if (version.deleteMarker()) {
            throw id.isPresent() ? isMarker(version) : isDeleted(version);
        }
        return version;
    }

    static S3Exception noSuchVersion(ObjectKey key, VersionId id) {
        return new S3Exception(S3Error.NO_SUCH_VERSION)
                .with("Key", key.text())
                .with("VersionId", VersionIds.format(id));
    }

    private static S3Exception isDeleted(ObjectVersion marker) {
        return named(Keys.notFound(marker.key()), marker);
    }

    private static S3Exception isMarker(ObjectVersion marker) {
        S3Exception refusal =
                new S3Exception(S3Error.METHOD_NOT_ALLOWED)
                        .with("ResourceType", "DeleteMarker")
                        .withHeader("Allow", "DELETE")
                        .withHeader("Last-Modified", S3Dates.http(marker.modifiedMillis()));
        return named(refusal, marker);
    }

    private static S3Exception named(S3Exception refusal, ObjectVersion marker) {
        return refusal.withHeader(DELETE_MARKER, "true")
                .withHeader(VersionIds.HEADER, VersionIds.format(marker.id()));
    }
}
