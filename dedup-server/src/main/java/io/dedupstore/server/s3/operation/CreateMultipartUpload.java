package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.ObjectAttributes;
import io.dedupstore.core.metadata.Upload;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.server.http.ResponseHeaders;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.XmlWriter;
import java.io.IOException;

/** Begins a multipart upload; attributes are given here, not at its completion. */
final class CreateMultipartUpload {
    private final NewObjectAccess newAccess;
    private final S3Services services;
    private final WriteLocks locks;
    private final Encryptions encryptions;

    CreateMultipartUpload(S3Services services) {
        this.newAccess = new NewObjectAccess(services);
        this.services = services;
        this.locks = new WriteLocks(services);
        this.encryptions = new Encryptions(services);
    }

    void handle(S3Request request, Bucket bucket, S3Operation.CreateMultipartUpload operation)
            throws IOException {
        ObjectKey key = Keys.of(operation.key());
        UnsupportedHeaders.check(request);
        Encrypted encrypted = encryptions.ofNew(request, bucket);
        ObjectAttributes attributes =
                Attributes.of(request)
                        .withLock(locks.of(request, bucket, operation.key()))
                        .withEncryption(encrypted.encryption())
                        .withAccess(newAccess.of(request, bucket));
        UploadChecksums.Declared declared = UploadChecksums.declared(request);
        Upload upload =
                services.metadata()
                        .createUpload(
                                services.attempts().get(),
                                bucket.id(),
                                key,
                                attributes,
                                declared.algorithm(),
                                declared.composite());
        ResponseHeaders headers = request.newHeaders();
        encrypted.addTo(headers);
        encrypted.addContext(headers);
        declared.algorithm()
                .ifPresent(
                        algorithm ->
                                headers.add("x-amz-checksum-algorithm", algorithm.name())
                                        .add(
                                                "x-amz-checksum-type",
                                                Checksums.type(declared.composite())));
        request.respond(
                headers,
                XmlWriter.s3("InitiateMultipartUploadResult")
                        .text("Bucket", bucket.name())
                        .text("Key", key.text())
                        .text("UploadId", UploadIds.format(upload.id())));
    }
}
