package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.ObjectChecksum;
import io.dedupstore.core.metadata.PartInfo;
import io.dedupstore.core.metadata.Upload;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.server.http.ResponseHeaders;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import java.io.IOException;
import java.util.List;

/** PUT of a part; one of the same number is replaced. */
final class UploadPart {
    private final MetadataService metadata;
    private final BodyUpload body;
    private final Encryptions encryptions;

    UploadPart(S3Services services) {
        this.metadata = services.metadata();
        this.body = new BodyUpload(services);
        this.encryptions = new Encryptions(services);
    }

    void handle(S3Request request, Bucket bucket, S3Operation.UploadPart operation)
            throws IOException {
        ObjectKey key = Keys.of(operation.key());
        int number = Numbers.partNumber(operation.partNumber());
        UnsupportedHeaders.check(request);
        long length = Payload.checkLength(request);
        BodyIntegrity integrity = BodyIntegrity.of(request);
        Upload upload = UploadIds.find(metadata, bucket.id(), key, operation.uploadId());
        Encrypted encrypted = encryptions.ofPart(request, bucket, upload);
        UploadChecksums.checkPart(upload, integrity.algorithm());
        BodyUpload.Uploaded uploaded =
                body.receive(
                        request,
                        bucket,
                        key,
                        encrypted,
                        integrity,
                        length,
                        UploadChecksums.needed(upload));
        List<ObjectChecksum> checksums =
                UploadChecksums.ofPart(upload, integrity.algorithm(), uploaded.digests());
        PartInfo part =
                metadata.putPart(
                        bucket.id(),
                        key,
                        upload.id(),
                        number,
                        uploaded.body(),
                        uploaded.etag(),
                        checksums);
        ResponseHeaders headers = request.newHeaders().add("ETag", Etags.quoted(part.etag()));
        encrypted.addTo(headers);
        part.checksums().stream()
                .findFirst()
                .ifPresent(
                        checksum ->
                                headers.add(
                                        Checksums.header(checksum.algorithm()),
                                        Checksums.format(checksum, 0)));
        request.respond(200, headers);
    }
}
