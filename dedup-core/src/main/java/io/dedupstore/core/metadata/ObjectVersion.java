package io.dedupstore.core.metadata;

import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.V;
import java.util.List;

/**
 * One version of an object, without its body; or a delete marker, which has no bytes.
 *
 * @param v the attempt that made it; unique, and changes with every overwrite
 * @param size plain bytes
 * @param etag without quotes
 * @param modifiedMillis commit time, ms since 1970 UTC
 * @param checksums at least one unless the object is older than checksums; the client's algorithm
 *     first
 * @param partCount parts it was completed from; 0 when it was not a multipart upload
 * @param id what it is called among the versions of its key
 */
public record ObjectVersion(
        ObjectKey key,
        V v,
        long size,
        String etag,
        long modifiedMillis,
        ObjectAttributes attributes,
        List<ObjectChecksum> checksums,
        int partCount,
        VersionId id,
        boolean deleteMarker) {
    public ObjectVersion {
        if (size < 0 || partCount < 0) {
            throw new IllegalArgumentException("negative size or part count");
        }
        checksums = List.copyOf(checksums);
    }
}
