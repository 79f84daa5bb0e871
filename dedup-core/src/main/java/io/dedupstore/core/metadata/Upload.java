package io.dedupstore.core.metadata;

import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.V;
import java.util.Optional;

/**
 * A multipart upload under way.
 *
 * @param id the attempt that created it; its name towards clients derives from it
 * @param checksumAlgorithm named at creation, if any
 */
public record Upload(
        V id,
        ObjectKey key,
        long initiatedMillis,
        ObjectAttributes attributes,
        Optional<ChecksumAlgorithm> checksumAlgorithm,
        boolean compositeChecksum) {}
