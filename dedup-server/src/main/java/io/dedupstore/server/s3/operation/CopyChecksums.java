package io.dedupstore.server.s3.operation;

import io.dedupstore.core.metadata.ChecksumAlgorithm;
import io.dedupstore.core.metadata.MetadataService.Stored;
import io.dedupstore.core.metadata.ObjectChecksum;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ChunkSums;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.object.ObjectReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The checksum of a copy: the source's where it can be kept, else from the chunks' sums, else by
 * reading.
 */
final class CopyChecksums {
    private final ObjectReader reader;
    private final Digester digester;

    CopyChecksums(S3Services services) {
        this.reader = services.reader();
        this.digester = new Digester(services);
    }

    /** The request's algorithm, else the source's. */
    static ChecksumAlgorithm chosen(ObjectVersion source, Optional<ChecksumAlgorithm> requested) {
        return requested
                .or(() -> source.checksums().stream().findFirst().map(ObjectChecksum::algorithm))
                .orElse(ChecksumAlgorithm.CRC64NVME);
    }

    /**
     * Of a copy that keeps the source's parts. A composite SHA of those parts stays what it is,
     * unless the request asks for one; a composite CRC becomes that of all bytes, which costs
     * nothing.
     */
    List<ObjectChecksum> ofCopy(
            BucketId bucket, ObjectKey key, Stored source, Optional<ChecksumAlgorithm> requested)
            throws IOException {
        ChecksumAlgorithm algorithm = chosen(source.version(), requested);
        Optional<ObjectChecksum> existing =
                source.version().checksums().stream()
                        .filter(checksum -> checksum.algorithm() == algorithm)
                        .findFirst();
        boolean costly = !Digester.costly(List.of(algorithm)).isEmpty();
        if (existing.isPresent()
                && (!existing.get().composite() || costly && requested.isEmpty())) {
            return List.of(existing.get());
        }
        return List.of(Checksums.full(algorithm, compute(bucket, key, source, algorithm)));
    }

    private byte[] compute(
            BucketId bucket, ObjectKey key, Stored source, ChecksumAlgorithm algorithm)
            throws IOException {
        ByteRange all = new ByteRange(0, source.version().size());
        if (Digester.costly(List.of(algorithm)).isEmpty()) {
            ChunkSums sums = reader.sums(bucket, key, source.body(), all.offset(), all.length());
            return Checksums.ofSums(algorithm, sums).orElseThrow();
        }
        return digester.ofStored(bucket, key, source.body(), all, Set.of(algorithm))
                .value(algorithm);
    }
}
