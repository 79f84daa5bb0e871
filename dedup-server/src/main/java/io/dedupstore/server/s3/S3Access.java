package io.dedupstore.server.s3;

import io.dedupstore.core.control.Bucket;

/**
 * The one check that every request passes before it is carried out. What nothing allows is denied.
 */
public interface S3Access {
    /**
     * @throws S3Exception AccessDenied
     */
    void admit(S3Request request, S3Operation.OfService operation);

    /**
     * @throws S3Exception AccessDenied
     */
    void admit(S3Request request, S3Operation.OfBucket operation, Bucket bucket);

    /**
     * @throws S3Exception AccessDenied
     */
    void admit(S3Request request, S3Operation.OfObject operation, Bucket bucket);

    /** Whether the caller may know which keys there are in a bucket. */
    boolean mayList(S3Request request, Bucket bucket);
}
