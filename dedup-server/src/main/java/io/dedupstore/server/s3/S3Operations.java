package io.dedupstore.server.s3;

import io.dedupstore.core.control.Bucket;
import java.io.IOException;

/** Carries out operations of requests that may be carried out. Answers, or throws. */
public interface S3Operations {
    void execute(S3Request request, S3Operation.OfService operation) throws IOException;

    void execute(S3Request request, S3Operation.OfBucket operation, Bucket bucket)
            throws IOException;

    void execute(S3Request request, S3Operation.OfObject operation, Bucket bucket)
            throws IOException;
}
