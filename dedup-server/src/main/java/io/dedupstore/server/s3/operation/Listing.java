package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.MetadataService.ListPage;
import io.dedupstore.core.metadata.MetadataService.Listed;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.server.s3.S3Dates;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.XmlWriter;
import java.util.List;
import java.util.Optional;

/**
 * What all listings of objects have in common.
 *
 * @param limit lines of the page, 0 to 1000
 */
record Listing(String prefix, Optional<String> delimiter, int limit, KeyEncoding encoding) {

    static Listing of(S3Request request) {
        return new Listing(
                request.query().first("prefix").orElse(""),
                request.query().nonEmpty("delimiter"),
                Numbers.pageSize(request, "max-keys"),
                KeyEncoding.of(request));
    }

    ListPage page(MetadataService metadata, Bucket bucket, Optional<String> after) {
        if (limit == 0) {
            return new ListPage(List.of(), false, Optional.empty());
        }
        return metadata.listObjects(bucket.id(), prefix, delimiter, after, limit);
    }

    /** Prefix, delimiter, size of the page, encoding. */
    void writeHead(XmlWriter xml, Bucket bucket, boolean truncated) {
        xml.text("Name", bucket.name()).text("Prefix", encoding.apply(prefix));
        delimiter.ifPresent(text -> xml.text("Delimiter", encoding.apply(text)));
        xml.text("MaxKeys", limit);
        encoding.write(xml);
        xml.text("IsTruncated", truncated);
    }

    void writeCommonPrefixes(XmlWriter xml, ListPage page) {
        for (Listed line : page.lines()) {
            if (line instanceof Listed.CommonPrefix(String text)) {
                writeCommonPrefix(xml, text);
            }
        }
    }

    void writeCommonPrefix(XmlWriter xml, String text) {
        xml.open("CommonPrefixes").text("Prefix", encoding.apply(text)).close();
    }

    static List<ObjectVersion> versions(ListPage page) {
        return page.lines().stream()
                .filter(Listed.Key.class::isInstance)
                .map(line -> ((Listed.Key) line).version())
                .toList();
    }

    /** Key, time, tag, checksum, size and class into the element that is open. */
    void writeVersion(XmlWriter xml, ObjectVersion version) {
        xml.text("Key", encoding.apply(version.key().text()))
                .text("LastModified", S3Dates.iso(version.modifiedMillis()))
                .text("ETag", Etags.quoted(version.etag()));
        version.checksums().stream()
                .findFirst()
                .ifPresent(
                        checksum ->
                                xml.text("ChecksumAlgorithm", checksum.algorithm().name())
                                        .text(
                                                "ChecksumType",
                                                Checksums.type(checksum.composite())));
        xml.text("Size", version.size())
                .text("StorageClass", Attributes.storageClass(version.attributes()));
    }
}
