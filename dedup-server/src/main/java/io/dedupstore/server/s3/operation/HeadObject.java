package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.Body;
import io.dedupstore.core.metadata.MetadataService.Stored;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import java.io.IOException;
import java.util.List;

/** What GET would say, without the bytes. */
final class HeadObject {
    private final VersionFinder versions;
    private final Encryptions encryptions;
    private final Expirations expirations;

    HeadObject(S3Services services) {
        this.versions = new VersionFinder(services);
        this.encryptions = new Encryptions(services);
        this.expirations = new Expirations(services);
    }

    void handle(S3Request request, Bucket bucket, S3Operation.HeadObject operation)
            throws IOException {
        ObjectKey key = Keys.of(operation.key());
        Stored stored = find(request, bucket, key);
        request.requireAllowed(stored.version());
        encryptions.readerOf(request, stored.version());
        if (answeredByCondition(request, stored.version())) {
            return;
        }
        Reading reading = Reading.of(request, stored);
        if (!request.query().has("versionId")) {
            expirations.add(reading.headers(), bucket, stored.version());
        }
        request.respondHead(reading.status(), reading.headers(), reading.length());
    }

    /** Parts and body are only fetched where a part is asked for. */
    private Stored find(S3Request request, Bucket bucket, ObjectKey key) {
        return request.query().has("partNumber")
                ? versions.open(request, bucket, key)
                : new Stored(
                        versions.find(request, bucket, key),
                        new Body.Inline(new byte[0]),
                        List.of());
    }

    /** Answers 304 where the client has the version. */
    static boolean answeredByCondition(S3Request request, ObjectVersion version)
            throws IOException {
        ReadConditions conditions = ReadConditions.of(request);
        conditions
                .failed(version)
                .ifPresent(
                        condition -> {
                            throw S3Exception.preconditionFailed(condition);
                        });
        if (conditions.unchanged(version).isEmpty()) {
            return false;
        }
        request.respond(S3Error.NOT_MODIFIED.status(), VersionHeaders.of(request, version));
        return true;
    }
}
