package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.metadata.ObjectLock;
import io.dedupstore.server.auth.AccessRequest;
import io.dedupstore.server.auth.Authorizer;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import java.time.InstantSource;
import java.util.Optional;

/** What writes say in their headers about the lock of the version they make. */
final class WriteLocks {
    private final ControlService control;
    private final Authorizer authorizer;
    private final InstantSource clock;

    WriteLocks(S3Services services) {
        this.control = services.control();
        this.authorizer = services.authorizer();
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
        AccessRequest access =
                new AccessRequest(action, Keys.resource(bucket, key), Optional.of(bucket.owner()));
        if (authorizer.authorize(request.principal(), access) != Authorizer.Decision.ALLOW) {
            throw new S3Exception(S3Error.ACCESS_DENIED);
        }
    }
}
