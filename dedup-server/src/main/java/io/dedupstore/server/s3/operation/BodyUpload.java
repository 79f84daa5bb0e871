package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.ChecksumAlgorithm;
import io.dedupstore.core.metadata.NewBody;
import io.dedupstore.core.metadata.ObjectChecksum;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.object.ObjectWriter;
import io.dedupstore.core.object.WriteTarget;
import io.dedupstore.core.object.WrittenBody;
import io.dedupstore.server.s3.S3Request;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;

/** Writes the body of a PUT or part and holds it against what the client said about it. */
final class BodyUpload {
    private final ObjectWriter writer;

    BodyUpload(S3Services services) {
        this.writer = services.writer();
    }

    /**
     * A body that is durable, verified, and not visible.
     *
     * @param checksum the client's, or else CRC64NVME
     */
    record Uploaded(NewBody body, Digests digests, ObjectChecksum checksum, String etag) {}

    /**
     * @param length as the head says it, -1 where it does not
     * @param further digests to compute besides those the client's checksum needs
     */
    Uploaded receive(
            S3Request request,
            Bucket bucket,
            ObjectKey key,
            Encrypted encrypted,
            BodyIntegrity integrity,
            long length,
            Set<ChecksumAlgorithm> further)
            throws IOException {
        WriteTarget target = WriteTargets.of(bucket, key, encrypted);
        Set<ChecksumAlgorithm> wanted = EnumSet.noneOf(ChecksumAlgorithm.class);
        wanted.addAll(integrity.digests());
        wanted.addAll(Digester.costly(further));
        Payload payload = Payload.open(request);
        WrittenBody written = writer.write(target, payload, length, wanted);
        try {
            payload.finish();
            Digests digests = Digests.of(written);
            return new Uploaded(
                    written.body(),
                    digests,
                    integrity.verify(digests, payload.trailers()),
                    encrypted.etag(written.body().v(), digests.md5()));
        } catch (IOException | RuntimeException e) {
            writer.abandon(target, written);
            throw e;
        }
    }
}
