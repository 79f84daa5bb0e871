package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.MetadataService.Deleted;
import io.dedupstore.core.metadata.VersionId;
import io.dedupstore.core.model.V;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.access.AccessCheck;
import java.util.Optional;
import java.util.function.Supplier;

/** A delete of what is current under a key, or of one version for good. */
final class ObjectDeletion {
    private static final String BYPASS = "x-amz-bypass-governance-retention";

    private final MetadataService metadata;
    private final ControlService control;
    private final AccessCheck access;
    private final Supplier<V> attempts;

    ObjectDeletion(S3Services services) {
        this.metadata = services.metadata();
        this.control = services.control();
        this.access = services.access();
        this.attempts = services.attempts();
    }

    /**
     * @param version for good
     */
    Deleted delete(
            Bucket bucket,
            WriteCondition condition,
            Optional<VersionId> version,
            boolean bypassGovernance) {
        return condition.decide(
                () ->
                        version.map(
                                        id ->
                                                metadata.deleteVersion(
                                                        attempts.get(),
                                                        bucket.id(),
                                                        condition.key(),
                                                        id,
                                                        bypassGovernance,
                                                        condition.precondition()))
                                .orElseGet(
                                        () ->
                                                metadata.deleteObject(
                                                        attempts.get(),
                                                        bucket.id(),
                                                        condition.key(),
                                                        BucketVersioning.of(control, bucket),
                                                        condition.precondition())));
    }

    /** Whether the client says that retention in governance mode is no obstacle, and may. */
    boolean bypassesGovernance(S3Request request, Bucket bucket, String key) {
        return request.header(BYPASS)
                        .map(String::strip)
                        .filter("true"::equalsIgnoreCase)
                        .isPresent()
                && access.allows(request, bucket, key, "s3:BypassGovernanceRetention");
    }
}
