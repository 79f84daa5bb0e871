package io.dedupstore.core.object;

import io.dedupstore.core.checksum.ChunkCrcs;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.metadata.ChecksumAlgorithm;
import io.dedupstore.core.metadata.NewBody;
import io.dedupstore.core.model.ChunkSums;
import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Digests of a whole body: MD5 always, others when asked; CRCs by combining those of the chunks.
 */
final class BodyDigests {
    private final ChecksumDigests digests;
    private ChunkSums sums = ChunkCrcs.EMPTY;
    private HashEngine.@Nullable Pending pending;

    /**
     * @param wanted CRCs and MD5 come anyway
     */
    BodyDigests(HashEngine engine, Set<ChecksumAlgorithm> wanted) {
        this.digests = new ChecksumDigests(engine, wanted);
    }

    void update(ByteBuffer bytes) {
        digests.update(bytes);
    }

    /**
     * Beside the digests of other requests; the bytes must stay as they are until {@link #settle}.
     */
    void updateLater(ByteBuffer bytes) {
        settle();
        pending = digests.updateLater(bytes);
    }

    /** Returns when nothing looks at the bytes any more. For virtual threads. */
    void settle() {
        HashEngine.Pending before = pending;
        pending = null;
        if (before != null) {
            before.settle();
        }
    }

    void add(ChunkSums chunk, int length) {
        sums = ChunkCrcs.combine(sums, chunk, length);
    }

    WrittenBody finish(NewBody body) {
        settle();
        return new WrittenBody(body, body.size(), digests.md5(), sums, digests.others());
    }
}
