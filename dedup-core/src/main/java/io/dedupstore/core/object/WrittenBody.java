package io.dedupstore.core.object;

import io.dedupstore.core.metadata.ChecksumAlgorithm;
import io.dedupstore.core.metadata.NewBody;
import io.dedupstore.core.model.ChunkSums;
import java.util.Map;

/**
 * Bytes that are durable but not visible: a commit through the metadata service publishes them.
 *
 * @param sums CRCs of all bytes
 * @param digests of all bytes, those that were asked for; never MD5 and CRCs
 */
public record WrittenBody(
        NewBody body,
        long size,
        byte[] md5,
        ChunkSums sums,
        Map<ChecksumAlgorithm, byte[]> digests) {
    public WrittenBody {
        digests = Map.copyOf(digests);
    }

    public int crc32() {
        return sums.crc32();
    }

    public int crc32c() {
        return sums.crc32c();
    }

    public long crc64nvme() {
        return sums.crc64nvme();
    }
}
