package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.MetadataService.ListedVersion;
import io.dedupstore.core.metadata.MetadataService.VersionMarker;
import io.dedupstore.core.metadata.MetadataService.VersionPage;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.server.s3.S3Dates;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.XmlWriter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Versions and delete markers in order of key, of one key the newest first. */
final class ListObjectVersions {
    private static final String KEY_MARKER = "key-marker";
    private static final String VERSION_MARKER = "version-id-marker";

    private final MetadataService metadata;
    private final Owners owners;

    ListObjectVersions(S3Services services) {
        this.metadata = services.metadata();
        this.owners = new Owners(services.control());
    }

    void handle(S3Request request, Bucket bucket, S3Operation.ListObjectVersions operation)
            throws IOException {
        Listing listing = Listing.of(request);
        VersionPage page = page(bucket, listing, marker(request));
        XmlWriter xml = XmlWriter.s3("ListVersionsResult");
        listing.writeHead(xml, bucket, page.truncated());
        xml.text(
                        "KeyMarker",
                        listing.encoding().apply(request.query().first(KEY_MARKER).orElse("")))
                .text("VersionIdMarker", request.query().first(VERSION_MARKER).orElse(""));
        page.next()
                .ifPresent(
                        next -> {
                            xml.text("NextKeyMarker", listing.encoding().apply(next.key()));
                            next.version()
                                    .ifPresent(
                                            id ->
                                                    xml.text(
                                                            "NextVersionIdMarker",
                                                            VersionIds.format(id)));
                        });
        for (ListedVersion line : page.lines()) {
            if (line instanceof ListedVersion.Version version) {
                write(xml, listing, bucket, version);
            }
        }
        for (ListedVersion line : page.lines()) {
            if (line instanceof ListedVersion.CommonPrefix(String text)) {
                listing.writeCommonPrefix(xml, text);
            }
        }
        request.respond(xml);
    }

    private VersionPage page(Bucket bucket, Listing listing, Optional<VersionMarker> marker) {
        return listing.limit() == 0
                ? new VersionPage(List.of(), false, Optional.empty())
                : metadata.listVersions(
                        bucket.id(),
                        listing.prefix(),
                        listing.delimiter(),
                        marker,
                        listing.limit());
    }

    private static Optional<VersionMarker> marker(S3Request request) {
        Optional<String> key = request.query().nonEmpty(KEY_MARKER);
        Optional<String> version = request.query().nonEmpty(VERSION_MARKER);
        if (version.isPresent() && key.isEmpty()) {
            throw S3Exception.invalidArgument(
                    "A version-id marker cannot be specified without a key marker.",
                    VERSION_MARKER,
                    version.get());
        }
        return key.map(
                name ->
                        new VersionMarker(
                                name, version.map(id -> VersionIds.parse(VERSION_MARKER, id))));
    }

    private void write(XmlWriter xml, Listing listing, Bucket bucket, ListedVersion.Version line) {
        ObjectVersion version = line.version();
        xml.open(version.deleteMarker() ? "DeleteMarker" : "Version")
                .text("VersionId", VersionIds.format(version.id()))
                .text("IsLatest", line.latest());
        if (version.deleteMarker()) {
            xml.text("Key", listing.encoding().apply(version.key().text()))
                    .text("LastModified", S3Dates.iso(version.modifiedMillis()));
        } else {
            listing.writeVersion(xml, version);
        }
        owners.write(xml, "Owner", bucket, version.attributes());
        xml.close();
    }
}
