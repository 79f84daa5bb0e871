package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.PartInfo;
import io.dedupstore.core.metadata.Upload;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.server.s3.S3Dates;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.XmlWriter;
import java.io.IOException;
import java.util.List;

/** The parts of an upload so far, by pages. */
final class ListParts {
    private final MetadataService metadata;
    private final Owners owners;

    ListParts(S3Services services) {
        this.metadata = services.metadata();
        this.owners = new Owners(services.control());
    }

    void handle(S3Request request, Bucket bucket, S3Operation.ListParts operation)
            throws IOException {
        ObjectKey key = Keys.of(operation.key());
        int limit = Numbers.pageSize(request, "max-parts");
        int after =
                request.query()
                        .nonEmpty("part-number-marker")
                        .map(text -> Numbers.nonNegative("part-number-marker", text))
                        .orElse(0);
        KeyEncoding encoding = KeyEncoding.of(request);
        Upload upload = UploadIds.find(metadata, bucket.id(), key, operation.uploadId());
        List<PartInfo> found =
                metadata.listParts(
                        bucket.id(),
                        key,
                        upload.id(),
                        after,
                        Math.min(limit + 1, Numbers.MAX_PAGE));
        boolean truncated = limit > 0 && isTruncated(bucket, key, upload, found, limit);
        List<PartInfo> page = found.subList(0, Math.min(limit, found.size()));
        XmlWriter xml =
                XmlWriter.s3("ListPartsResult")
                        .text("Bucket", bucket.name())
                        .text("Key", encoding.apply(key.text()))
                        .text("UploadId", operation.uploadId())
                        .text("PartNumberMarker", after)
                        .text(
                                "NextPartNumberMarker",
                                page.isEmpty() ? after : page.getLast().number())
                        .text("MaxParts", limit)
                        .text("IsTruncated", truncated);
        encoding.write(xml);
        owners.write(xml, "Initiator", bucket, upload.attributes());
        owners.write(xml, "Owner", bucket, upload.attributes());
        xml.text("StorageClass", Attributes.storageClass(upload.attributes()));
        upload.checksumAlgorithm()
                .ifPresent(
                        algorithm ->
                                xml.text("ChecksumAlgorithm", algorithm.name())
                                        .text(
                                                "ChecksumType",
                                                Checksums.type(upload.compositeChecksum())));
        page.forEach(part -> write(xml, part));
        request.respond(xml);
    }

    private boolean isTruncated(
            Bucket bucket, ObjectKey key, Upload upload, List<PartInfo> found, int limit) {
        if (limit < Numbers.MAX_PAGE) {
            return found.size() > limit;
        }
        return found.size() == limit
                && !metadata.listParts(bucket.id(), key, upload.id(), found.getLast().number(), 1)
                        .isEmpty();
    }

    private static void write(XmlWriter xml, PartInfo part) {
        xml.open("Part")
                .text("PartNumber", part.number())
                .text("LastModified", S3Dates.iso(part.modifiedMillis()))
                .text("ETag", Etags.quoted(part.etag()))
                .text("Size", part.size());
        Checksums.writeValue(xml, part.checksums(), 0);
        xml.close();
    }
}
