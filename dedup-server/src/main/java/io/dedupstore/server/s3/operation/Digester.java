package io.dedupstore.server.s3.operation;

import io.dedupstore.core.checksum.ChunkCrcs;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.metadata.Body;
import io.dedupstore.core.metadata.ChecksumAlgorithm;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.object.ChecksumDigests;
import io.dedupstore.core.object.ObjectReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
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
        return ChecksumDigests.ofBytes(algorithms);
    }

    Digests ofDocument(byte[] document, Set<ChecksumAlgorithm> wanted) {
        ChecksumDigests running = new ChecksumDigests(engine, wanted);
        running.update(ByteBuffer.wrap(document));
        byte[] md5 = running.md5();
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
        ChecksumDigests running = new ChecksumDigests(engine, wanted);
        reader.read(
                bucket, key, body, range.offset(), range.length(), bytes -> take(running, bytes));
        return new Digests(
                running.md5(),
                reader.sums(bucket, key, body, range.offset(), range.length()),
                running.others());
    }

    private static void take(ChecksumDigests running, ByteBuffer bytes) {
        running.update(bytes);
        bytes.position(bytes.limit());
    }
}
