package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.metadata.ObjectLock;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.access.AccessCheck;
import java.time.InstantSource;

/** What writes say in their headers about the lock of the version they make. */
final class WriteLocks {
    private final ControlService control;
    private final AccessCheck access;
    private final InstantSource clock;

    WriteLocks(S3Services services) {
        this.control = services.control();
        this.access = services.access();
        this.clock = services.clock();
    }

    /**
     * @throws S3Exception InvalidRequest where the bucket has no locks, InvalidArgument,
     *     AccessDenied
     */
    ObjectLock of(S3Request request, Bucket bucket, String key) {
        if (!LockDocuments.inHeaders(request)) {
            return ObjectLock.NONE;
        }
        requireLocks(control, bucket);
        ObjectLock lock = LockDocuments.ofHeaders(request, clock.millis());
        if (lock.retention().isPresent()) {
            permit(request, bucket, key, "s3:PutObjectRetention");
        }
        if (lock.legalHold().isPresent()) {
            permit(request, bucket, key, "s3:PutObjectLegalHold");
        }
        return lock;
    }

    static void requireLocks(ControlService control, Bucket bucket) {
        if (ObjectLockConfiguration.of(control, bucket).isEmpty()) {
            throw S3Exception.invalidRequest("Bucket is missing Object Lock Configuration");
        }
    }

    /** Of writes that bring bytes: what is locked must be what the client has sent. */
    static void requireIntegrity(ObjectLock lock, BodyIntegrity integrity) {
        if (!lock.equals(ObjectLock.NONE) && !integrity.isGiven()) {
            throw S3Exception.invalidRequest(
                    "Content-MD5 OR x-amz-checksum- HTTP header is required for Put Object requests"
                            + " with Object Lock parameters");
        }
    }

    private void permit(S3Request request, Bucket bucket, String key, String action) {
        access.require(request, bucket, key, action);
    }
}
