package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.MetadataService.ListPage;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.XmlWriter;
import java.io.IOException;
import java.util.Optional;

/** Versions of a bucket that never had versioning: each key has one, the null version. */
final class ListObjectVersions {
    private final MetadataService metadata;
    private final Owners owners;

    ListObjectVersions(S3Services services) {
        this.metadata = services.metadata();
        this.owners = new Owners(services.control());
    }

    void handle(S3Request request, Bucket bucket, S3Operation.ListObjectVersions operation)
            throws IOException {
        Listing listing = Listing.of(request);
        Optional<String> marker = request.query().nonEmpty("key-marker");
        ListPage page = listing.page(metadata, bucket, marker);
        XmlWriter xml = XmlWriter.s3("ListVersionsResult");
        listing.writeHead(xml, bucket, page.truncated());
        xml.text("KeyMarker", listing.encoding().apply(marker.orElse("")))
                .text("VersionIdMarker", request.query().first("version-id-marker").orElse(""));
        if (page.truncated()) {
            page.next()
                    .ifPresent(
                            next ->
                                    xml.text("NextKeyMarker", listing.encoding().apply(next))
                                            .text("NextVersionIdMarker", Keys.NULL_VERSION));
        }
        for (ObjectVersion version : Listing.versions(page)) {
            xml.open("Version").text("VersionId", Keys.NULL_VERSION).text("IsLatest", true);
            listing.writeVersion(xml, version);
            owners.write(xml, "Owner", bucket.owner());
            xml.close();
        }
        listing.writeCommonPrefixes(xml, page);
        request.respond(xml);
    }
}
