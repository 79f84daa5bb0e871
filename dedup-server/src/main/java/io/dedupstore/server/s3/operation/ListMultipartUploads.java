package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.MetadataService.UploadMarker;
import io.dedupstore.core.metadata.MetadataService.UploadPage;
import io.dedupstore.core.metadata.Upload;
import io.dedupstore.core.model.V;
import io.dedupstore.server.s3.S3Dates;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.XmlWriter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Uploads under way, by pages. */
final class ListMultipartUploads {
    private final MetadataService metadata;
    private final Owners owners;

    ListMultipartUploads(S3Services services) {
        this.metadata = services.metadata();
        this.owners = new Owners(services.control());
    }

    void handle(S3Request request, Bucket bucket, S3Operation.ListMultipartUploads operation)
            throws IOException {
        String prefix = request.query().first("prefix").orElse("");
        Optional<String> delimiter = request.query().nonEmpty("delimiter");
        int limit = Numbers.pageSize(request, "max-uploads");
        KeyEncoding encoding = KeyEncoding.of(request);
        Optional<UploadMarker> after = marker(request);
        UploadPage page =
                limit == 0
                        ? new UploadPage(List.of(), List.of(), false, Optional.empty())
                        : metadata.listUploads(bucket.id(), prefix, delimiter, after, limit);
        XmlWriter xml =
                XmlWriter.s3("ListMultipartUploadsResult")
                        .text("Bucket", bucket.name())
                        .text(
                                "KeyMarker",
                                encoding.apply(request.query().first("key-marker").orElse("")))
                        .text(
                                "UploadIdMarker",
                                request.query().first("upload-id-marker").orElse(""));
        if (page.truncated()) {
            page.next().ifPresent(next -> writeNext(xml, encoding, next));
        }
        xml.text("Prefix", encoding.apply(prefix));
        delimiter.ifPresent(text -> xml.text("Delimiter", encoding.apply(text)));
        xml.text("MaxUploads", limit);
        encoding.write(xml);
        xml.text("IsTruncated", page.truncated());
        page.uploads().forEach(upload -> write(xml, encoding, bucket, upload));
        for (String common : page.commonPrefixes()) {
            xml.open("CommonPrefixes").text("Prefix", encoding.apply(common)).close();
        }
        request.respond(xml);
    }

    /** An upload's marker means something only together with its key's. */
    private static Optional<UploadMarker> marker(S3Request request) {
        Optional<String> key = request.query().nonEmpty("key-marker");
        Optional<V> upload =
                request.query()
                        .nonEmpty("upload-id-marker")
                        .filter(text -> key.isPresent())
                        .map(ListMultipartUploads::upload);
        return key.map(text -> new UploadMarker(text, upload));
    }

    private static V upload(String text) {
        return UploadIds.parse(text)
                .orElseThrow(
                        () ->
                                S3Exception.invalidArgument(
                                        "Invalid uploadId marker", "upload-id-marker", text));
    }

    private static void writeNext(XmlWriter xml, KeyEncoding encoding, UploadMarker next) {
        xml.text("NextKeyMarker", encoding.apply(next.key()))
                .text("NextUploadIdMarker", next.upload().map(UploadIds::format).orElse(""));
    }

    private void write(XmlWriter xml, KeyEncoding encoding, Bucket bucket, Upload upload) {
        xml.open("Upload")
                .text("Key", encoding.apply(upload.key().text()))
                .text("UploadId", UploadIds.format(upload.id()));
        owners.write(xml, "Initiator", bucket, upload.attributes());
        owners.write(xml, "Owner", bucket, upload.attributes());
        xml.text("StorageClass", Attributes.storageClass(upload.attributes()))
                .text("Initiated", S3Dates.iso(upload.initiatedMillis()));
        upload.checksumAlgorithm()
                .ifPresent(
                        algorithm ->
                                xml.text("ChecksumAlgorithm", algorithm.name())
                                        .text(
                                                "ChecksumType",
                                                Checksums.type(upload.compositeChecksum())));
        xml.close();
    }
}
