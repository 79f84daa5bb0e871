package io.dedupstore.server.s3.operation;

import io.dedupstore.core.checksum.ChunkCrcs;
import io.dedupstore.core.fingerprint.DigestAlgorithm;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.fingerprint.RunningDigest;
import io.dedupstore.core.metadata.Body;
import io.dedupstore.core.metadata.ChecksumAlgorithm;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.object.ObjectReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Computes digests of what the object layer has not digested while it was written. */
final class Digester {
    private final HashEngine engine;
    private final ObjectReader reader;

    Digester(S3Services services) {
        this.engine = services.hashEngine();
        this.reader = services.reader();
    }

    /** Digests that need the bytes themselves; CRCs do not. */
    static Set<ChecksumAlgorithm> costly(Collection<ChecksumAlgorithm> algorithms) {
        Set<ChecksumAlgorithm> costly = EnumSet.noneOf(ChecksumAlgorithm.class);
        for (ChecksumAlgorithm algorithm : algorithms) {
            switch (algorithm) {
                case SHA1, SHA256 -> costly.add(algorithm);
                case CRC32, CRC32C, CRC64NVME -> {}
            }
        }
        return costly;
    }

    Digests ofDocument(byte[] document, Set<ChecksumAlgorithm> wanted) {
        Running running = new Running(wanted);
        running.update(ByteBuffer.wrap(document));
        byte[] md5 = running.md5.digest();
        return new Digests(md5, ChunkCrcs.of(ByteBuffer.wrap(document)), running.others());
    }

    /** Reads the range, for its MD5 above all. */
    Digests ofStored(
            BucketId bucket,
            ObjectKey key,
            Body body,
            ByteRange range,
            Set<ChecksumAlgorithm> wanted)
            throws IOException {
        Running running = new Running(wanted);
        reader.read(bucket, key, body, range.offset(), range.length(), running::update);
        return new Digests(
                running.md5.digest(),
                reader.sums(bucket, key, body, range.offset(), range.length()),
                running.others());
    }

    private final class Running {
        private final RunningDigest md5 = engine.start(DigestAlgorithm.MD5);
        private final Map<ChecksumAlgorithm, RunningDigest> others =
                new EnumMap<>(ChecksumAlgorithm.class);

        Running(Set<ChecksumAlgorithm> wanted) {
            if (wanted.contains(ChecksumAlgorithm.SHA1)) {
                others.put(ChecksumAlgorithm.SHA1, engine.start(DigestAlgorithm.SHA1));
            }
            if (wanted.contains(ChecksumAlgorithm.SHA256)) {
                others.put(ChecksumAlgorithm.SHA256, engine.start(DigestAlgorithm.SHA256));
            }
        }

        void update(ByteBuffer bytes) {
            List<RunningDigest> all = new ArrayList<>(others.values());
            all.add(md5);
            engine.update(bytes, all);
            bytes.position(bytes.limit());
        }

        Map<ChecksumAlgorithm, byte[]> others() {
            Map<ChecksumAlgorithm, byte[]> values = new EnumMap<>(ChecksumAlgorithm.class);
            others.forEach((algorithm, digest) -> values.put(algorithm, digest.digest()));
            return values;
        }
    }
}
