package io.dedupstore.server.s3.operation;

import io.dedupstore.core.metadata.ChecksumAlgorithm;
import io.dedupstore.core.model.ChunkSums;
import io.dedupstore.core.object.WrittenBody;
import java.util.Map;
import java.util.Optional;

/**
 * Digests of all bytes of something.
 *
 * @param digests those that were asked for; never MD5 and CRCs
 */
record Digests(byte[] md5, ChunkSums sums, Map<ChecksumAlgorithm, byte[]> digests) {
    Digests {
        digests = Map.copyOf(digests);
    }

    static Digests of(WrittenBody written) {
        return new Digests(written.md5(), written.sums(), written.digests());
    }

    byte[] value(ChecksumAlgorithm algorithm) {
        if (algorithm == ChecksumAlgorithm.MD5) {
            return md5;
        }
        return Checksums.ofSums(algorithm, sums)
                .or(() -> Optional.ofNullable(digests.get(algorithm)))
                .orElseThrow(() -> new IllegalStateException(algorithm + " was not computed"));
    }
}
