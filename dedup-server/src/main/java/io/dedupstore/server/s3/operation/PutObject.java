package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.MetadataService.VersionSpec;
import io.dedupstore.core.metadata.ObjectAttributes;
import io.dedupstore.core.metadata.ObjectLock;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.server.http.ResponseHeaders;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** PUT: everything that can be refused is refused before the body is asked for. */
final class PutObject {
    private final NewObjectAccess newAccess;
    private final MetadataService metadata;
    private final ControlService control;
    private final WriteLocks locks;
    private final BodyUpload upload;
    private final Encryptions encryptions;
    private final Expirations expirations;

    PutObject(S3Services services) {
        this.newAccess = new NewObjectAccess(services);
        this.metadata = services.metadata();
        this.control = services.control();
        this.locks = new WriteLocks(services);
        this.upload = new BodyUpload(services);
        this.encryptions = new Encryptions(services);
        this.expirations = new Expirations(services);
    }

    /** What was stored, and the headers that say so. */
    record Stored(String etag, ResponseHeaders headers) {}

    void handle(S3Request request, Bucket bucket, S3Operation.PutObject operation)
            throws IOException {
        request.respond(200, store(request, bucket, operation.key()).headers());
    }

    Stored store(S3Request request, Bucket bucket, String keyText) throws IOException {
        ObjectKey key = Keys.of(keyText);
        UnsupportedHeaders.check(request);
        long length = Payload.checkLength(request);
        BodyIntegrity integrity = BodyIntegrity.of(request);
        ObjectLock lock = locks.of(request, bucket, keyText);
        WriteLocks.requireIntegrity(lock, integrity);
        Encrypted encrypted = encryptions.ofNew(request, bucket);
        ObjectAttributes attributes =
                Attributes.of(request)
                        .withLock(lock)
                        .withEncryption(encrypted.encryption())
                        .withAccess(newAccess.of(request, bucket));
        WriteCondition condition = WriteCondition.of(request, key);
        if (condition.isGiven()) {
            condition.check(metadata.findObject(bucket.id(), key));
        }
        BodyUpload.Uploaded uploaded =
                upload.receive(request, bucket, key, encrypted, integrity, length, Set.of());
        VersionSpec spec =
                new VersionSpec(
                        uploaded.etag(),
                        attributes,
                        List.of(uploaded.checksum()),
                        BucketVersioning.keeping(control, bucket));
        ObjectVersion version =
                condition.decide(
                        () ->
                                metadata.putObject(
                                        bucket.id(),
                                        key,
                                        uploaded.body(),
                                        spec,
                                        condition.precondition()));
        ResponseHeaders headers = request.newHeaders().add("ETag", Etags.quoted(version.etag()));
        Checksums.addHeaders(headers, version.checksums(), 0);
        VersionIds.addNamed(headers, version.id());
        encrypted.addTo(headers);
        encrypted.addContext(headers);
        expirations.add(headers, bucket, version);
        return new Stored(version.etag(), headers);
    }
}
