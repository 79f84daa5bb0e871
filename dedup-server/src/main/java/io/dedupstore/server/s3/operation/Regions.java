package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;

/** Regions of buckets: there is one, the server's, under its name or the default one. */
record Regions(String own) {
    static final String DEFAULT = "us-east-1";

    String of(Bucket bucket) {
        return bucket.region().isEmpty() ? own : bucket.region();
    }

    /** As a location constraint, in which the default region is empty. */
    String constraintOf(Bucket bucket) {
        String region = of(bucket);
        return region.equals(DEFAULT) ? "" : region;
    }

    /**
     * @return the region to keep
     * @throws S3Exception InvalidLocationConstraint
     */
    String accept(String constraint) {
        if (constraint.isEmpty() || constraint.equals(own) || constraint.equals(DEFAULT)) {
            return constraint;
        }
        throw new S3Exception(S3Error.INVALID_LOCATION_CONSTRAINT)
                .with("LocationConstraint", constraint);
    }
}
