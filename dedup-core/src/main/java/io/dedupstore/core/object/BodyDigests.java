package io.dedupstore.core.object;

import io.dedupstore.core.checksum.ChunkCrcs;
import io.dedupstore.core.fingerprint.DigestAlgorithm;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.fingerprint.RunningDigest;
import io.dedupstore.core.metadata.ChecksumAlgorithm;
import io.dedupstore.core.metadata.NewBody;
import io.dedupstore.core.model.ChunkSums;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Digests of a whole body: MD5 always, others when asked; CRCs by combining those of the chunks.
 */
final class BodyDigests {
    private final RunningDigest md5;
    private final Map<ChecksumAlgorithm, RunningDigest> others =
            new EnumMap<>(ChecksumAlgorithm.class);
    private ChunkSums sums = ChunkCrcs.EMPTY;
    private final HashEngine engine;
    private HashEngine.@Nullable Pending pending;

    /**
     * @param wanted only SHA1 and SHA256 matter; CRCs come anyway
     */
    BodyDigests(HashEngine engine, Set<ChecksumAlgorithm> wanted) {
        this.engine = engine;
        this.md5 = engine.start(DigestAlgorithm.MD5);
        if (wanted.contains(ChecksumAlgorithm.SHA1)) {
            others.put(ChecksumAlgorithm.SHA1, engine.start(DigestAlgorithm.SHA1));
        }
        if (wanted.contains(ChecksumAlgorithm.SHA256)) {
            others.put(ChecksumAlgorithm.SHA256, engine.start(DigestAlgorithm.SHA256));
        }
    }

    void update(ByteBuffer bytes) {
        engine.update(bytes, all());
    }

    /**
     * Beside the digests of other requests; the bytes must stay as they are until {@link #settle}.
     */
    void updateLater(ByteBuffer bytes) {
        settle();
        pending = engine.updateLater(bytes, all());
    }

    /** Returns when nothing looks at the bytes any more. For virtual threads. */
    void settle() {
        HashEngine.Pending before = pending;
        pending = null;
        if (before != null) {
            before.settle();
        }
    }

    private List<RunningDigest> all() {
        List<RunningDigest> all = new ArrayList<>(others.values());
        all.add(md5);
        return all;
    }

    void add(ChunkSums chunk, int length) {
        sums = ChunkCrcs.combine(sums, chunk, length);
    }

    WrittenBody finish(NewBody body) {
        settle();
        Map<ChecksumAlgorithm, byte[]> digests = new EnumMap<>(ChecksumAlgorithm.class);
        others.forEach((algorithm, digest) -> digests.put(algorithm, digest.digest()));
        return new WrittenBody(body, body.size(), md5.digest(), sums, digests);
    }
}
