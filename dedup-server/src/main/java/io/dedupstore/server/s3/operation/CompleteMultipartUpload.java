package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.ChecksumAlgorithm;
import io.dedupstore.core.metadata.MetadataException;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.MetadataService.SeenPart;
import io.dedupstore.core.metadata.MetadataService.VersionSpec;
import io.dedupstore.core.metadata.ObjectChecksum;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.metadata.PartInfo;
import io.dedupstore.core.metadata.Upload;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.V;
import io.dedupstore.server.http.ResponseHeaders;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.XmlReader;
import io.dedupstore.server.s3.XmlWriter;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes uploaded parts an object, in one metadata entry. A repeated completion, whose first answer
 * may have been lost, is answered as the first was.
 */
final class CompleteMultipartUpload {
    private final S3Services services;
    private final MetadataService metadata;
    private final Documents documents;
    private final Digester digester;
    private final Expirations expirations;

    CompleteMultipartUpload(S3Services services, Documents documents) {
        this.services = services;
        this.metadata = services.metadata();
        this.documents = documents;
        this.digester = new Digester(services);
        this.expirations = new Expirations(services);
    }

    void handle(S3Request request, Bucket bucket, S3Operation.CompleteMultipartUpload operation)
            throws IOException {
        ObjectKey key = Keys.of(operation.key());
        V id = UploadIds.require(operation.uploadId());
        WriteCondition condition = WriteCondition.of(request, key);
        CompletionClaims claims = CompletionClaims.of(request);
        Optional<Upload> upload = metadata.findUpload(bucket.id(), key, id);
        if (upload.isEmpty()) {
            respond(request, bucket, earlier(bucket, key, id, operation.uploadId()));
            return;
        }
        claims.checkAgainst(upload.get());
        if (condition.isGiven()) {
            condition.check(metadata.findObject(bucket.id(), key));
        }
        List<Completion.Named> named =
                Completion.parse(
                        XmlReader.parse(
                                documents.readUnverified(request), "CompleteMultipartUpload"));
        Optional<List<PartInfo>> parts = match(bucket, key, upload.get(), named);
        ObjectVersion version =
                parts.isPresent()
                        ? complete(bucket, key, upload.get(), parts.get(), claims, condition)
                        : earlier(bucket, key, id, operation.uploadId());
        respond(request, bucket, version);
    }

    /** Empty when the upload was completed or aborted by somebody else meanwhile. */
    private Optional<List<PartInfo>> match(
            Bucket bucket, ObjectKey key, Upload upload, List<Completion.Named> named) {
        try {
            return Optional.of(Completion.match(upload, named, uploaded(bucket, key, upload.id())));
        } catch (S3Exception e) {
            if (metadata.findUpload(bucket.id(), key, upload.id()).isEmpty()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private ObjectVersion complete(
            Bucket bucket,
            ObjectKey key,
            Upload upload,
            List<PartInfo> parts,
            CompletionClaims claims,
            WriteCondition condition) {
        ObjectChecksum checksum = checksum(upload, parts);
        claims.checkSize(parts.stream().mapToLong(PartInfo::size).sum());
        claims.checkValue(checksum);
        VersionSpec spec =
                new VersionSpec(
                        etag(parts),
                        upload.attributes(),
                        List.of(checksum),
                        BucketVersioning.keeping(services.control(), bucket));
        List<SeenPart> seen =
                parts.stream().map(part -> new SeenPart(part.number(), part.v())).toList();
        return commit(bucket, key, upload.id(), seen, spec, condition);
    }

    private ObjectVersion commit(
            Bucket bucket,
            ObjectKey key,
            V id,
            List<SeenPart> parts,
            VersionSpec spec,
            WriteCondition condition) {
        try {
            return condition.decide(
                    () ->
                            metadata.completeUpload(
                                    services.attempts().get(),
                                    bucket.id(),
                                    key,
                                    id,
                                    parts,
                                    spec,
                                    condition.precondition()));
        } catch (MetadataException e) {
            if (e.code() == MetadataException.Code.NO_SUCH_UPLOAD) {
                return earlier(bucket, key, id, UploadIds.format(id));
            }
            throw e;
        }
    }

    private ObjectVersion earlier(Bucket bucket, ObjectKey key, V id, String uploadId) {
        return metadata.findCompleted(bucket.id(), key, id)
                .orElseThrow(() -> UploadIds.notFound(uploadId));
    }

    private Map<Integer, PartInfo> uploaded(Bucket bucket, ObjectKey key, V id) {
        TreeMap<Integer, PartInfo> parts = new TreeMap<>();
        List<PartInfo> page;
        do {
            int after = parts.isEmpty() ? 0 : parts.lastKey();
            page = metadata.listParts(bucket.id(), key, id, after, Numbers.MAX_PAGE);
            page.forEach(part -> parts.put(part.number(), part));
        } while (page.size() == Numbers.MAX_PAGE);
        return parts;
    }

    private ObjectChecksum checksum(Upload upload, List<PartInfo> parts) {
        ChecksumAlgorithm algorithm =
                upload.checksumAlgorithm().orElse(ChecksumAlgorithm.CRC64NVME);
        if (!upload.compositeChecksum()) {
            return UploadChecksums.combined(algorithm, parts);
        }
        byte[] values = UploadChecksums.concatenated(algorithm, parts);
        Digests digests = digester.ofDocument(values, Set.of(algorithm));
        return new ObjectChecksum(algorithm, true, digests.value(algorithm));
    }

    private String etag(List<PartInfo> parts) {
        byte[] md5s =
                Bytes.concat(
                        parts.stream()
                                .map(part -> HexFormat.of().parseHex(part.etag()))
                                .toArray(byte[][]::new));
        return Etags.ofMd5(digester.ofDocument(md5s, Set.of()).md5()) + "-" + parts.size();
    }

    private void respond(S3Request request, Bucket bucket, ObjectVersion version)
            throws IOException {
        XmlWriter xml =
                XmlWriter.s3("CompleteMultipartUploadResult")
                        .text("Location", request.location())
                        .text("Bucket", bucket.name())
                        .text("Key", version.key().text())
                        .text("ETag", Etags.quoted(version.etag()));
        Checksums.write(xml, version.checksums(), version.partCount());
        ResponseHeaders headers = request.newHeaders();
        VersionIds.addNamed(headers, version.id());
        version.attributes()
                .encryption()
                .ifPresent(encryption -> Encrypted.add(headers, encryption));
        expirations.add(headers, bucket, version);
        request.respond(headers, xml);
    }
}
