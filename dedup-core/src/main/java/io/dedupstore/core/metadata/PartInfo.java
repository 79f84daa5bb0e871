package io.dedupstore.core.metadata;

import io.dedupstore.core.model.V;
import java.util.List;

/**
 * An uploaded part, or a part of a completed version.
 *
 * @param v the attempt that made the part
 * @param etag without quotes
 */
public record PartInfo(
        int number,
        V v,
        long size,
        String etag,
        long modifiedMillis,
        List<ObjectChecksum> checksums) {
    public static final int MAX_NUMBER = 10_000;

    public PartInfo {
        if (number < 1 || number > MAX_NUMBER || size < 0) {
            throw new IllegalArgumentException("bad part " + number + " of " + size + " bytes");
        }
        checksums = List.copyOf(checksums);
    }
}
