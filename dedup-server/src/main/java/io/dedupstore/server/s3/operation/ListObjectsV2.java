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

/** The second listing API: pages follow by opaque tokens. */
final class ListObjectsV2 {
    private final MetadataService metadata;
    private final Owners owners;

    ListObjectsV2(S3Services services) {
        this.metadata = services.metadata();
        this.owners = new Owners(services.control());
    }

    void handle(S3Request request, Bucket bucket, S3Operation.ListObjectsV2 operation)
            throws IOException {
        Listing listing = Listing.of(request);
        Optional<String> token = request.query().first("continuation-token");
        Optional<String> startAfter = request.query().nonEmpty("start-after");
        Optional<String> after =
                token.filter(text -> !text.isEmpty())
                        .map(ContinuationToken::parse)
                        .map(ContinuationToken::after)
                        .or(() -> startAfter);
        boolean withOwner = request.query().first("fetch-owner").filter("true"::equals).isPresent();
        ListPage page = listing.page(metadata, bucket, after);
        XmlWriter xml = XmlWriter.s3("ListBucketResult");
        listing.writeHead(xml, bucket, page.truncated());
        xml.text("KeyCount", page.lines().size());
        token.ifPresent(text -> xml.text("ContinuationToken", text));
        if (page.truncated()) {
            page.next()
                    .ifPresent(
                            next ->
                                    xml.text(
                                            "NextContinuationToken",
                                            new ContinuationToken(next).format()));
        }
        startAfter.ifPresent(text -> xml.text("StartAfter", listing.encoding().apply(text)));
        for (ObjectVersion version : Listing.versions(page)) {
            xml.open("Contents");
            listing.writeVersion(xml, version);
            if (withOwner) {
                owners.write(xml, "Owner", bucket, version.attributes());
            }
            xml.close();
        }
        listing.writeCommonPrefixes(xml, page);
        request.respond(xml);
    }
}
