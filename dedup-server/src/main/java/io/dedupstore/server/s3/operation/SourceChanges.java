package io.dedupstore.server.s3.operation;

import io.dedupstore.core.metadata.MetadataException;
import io.dedupstore.core.object.ObjectStoreException;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import java.io.IOException;

/** Reads the source of a copy anew when it is replaced meanwhile. */
final class SourceChanges {
    private static final int MAX_ATTEMPTS = 5;

    private SourceChanges() {}

    /** A whole copy, from the reading of its source on. */
    @FunctionalInterface
    interface Attempt<T> {
        T run() throws IOException;
    }

    static <T> T retry(Attempt<T> attempt) throws IOException {
        for (int i = 1; i < MAX_ATTEMPTS; i++) {
            try {
                return attempt.run();
            } catch (MetadataException e) {
                if (e.code() != MetadataException.Code.SOURCE_CHANGED) {
                    throw e;
                }
            } catch (ObjectStoreException e) {
                if (e.code() != ObjectStoreException.Code.GONE) {
                    throw e;
                }
            }
        }
        try {
            return attempt.run();
        } catch (MetadataException e) {
            if (e.code() == MetadataException.Code.SOURCE_CHANGED) {
                throw new S3Exception(
                        S3Error.OPERATION_ABORTED, S3Error.OPERATION_ABORTED.message(), e);
            }
            throw e;
        }
    }
}
