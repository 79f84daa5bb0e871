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

/** The first listing API: markers are keys. */
final class ListObjectsV1 {
    private final MetadataService metadata;
    private final Owners owners;

    ListObjectsV1(S3Services services) {
        this.metadata = services.metadata();
        this.owners = new Owners(services.control());
    }

    void handle(S3Request request, Bucket bucket, S3Operation.ListObjectsV1 operation)
            throws IOException {
        Listing listing = Listing.of(request);
        Optional<String> marker = request.query().nonEmpty("marker");
        ListPage page = listing.page(metadata, bucket, marker);
        XmlWriter xml = XmlWriter.s3("ListBucketResult");
        listing.writeHead(xml, bucket, page.truncated());
        xml.text("Marker", listing.encoding().apply(marker.orElse("")));
        if (page.truncated() && listing.delimiter().isPresent()) {
            page.next().ifPresent(next -> xml.text("NextMarker", listing.encoding().apply(next)));
        }
        for (ObjectVersion version : Listing.versions(page)) {
            xml.open("Contents");
            listing.writeVersion(xml, version);
            owners.write(xml, "Owner", bucket, version.attributes());
            xml.close();
        }
        listing.writeCommonPrefixes(xml, page);
        request.respond(xml);
    }
}
