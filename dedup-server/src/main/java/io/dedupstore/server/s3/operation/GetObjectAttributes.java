package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.MetadataService.Stored;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.metadata.PartInfo;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.server.s3.S3Dates;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.XmlWriter;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Chosen facts about an object, its parts by pages. */
final class GetObjectAttributes {
    private static final String HEADER = "x-amz-object-attributes";

    private final VersionFinder versions;
    private final Encryptions encryptions;

    GetObjectAttributes(S3Services services) {
        this.versions = new VersionFinder(services);
        this.encryptions = new Encryptions(services);
    }

    private enum Attribute {
        ETAG("ETag"),
        CHECKSUM("Checksum"),
        OBJECT_PARTS("ObjectParts"),
        STORAGE_CLASS("StorageClass"),
        OBJECT_SIZE("ObjectSize");

        private final String text;

        Attribute(String text) {
            this.text = text;
        }

        static Attribute of(String text) {
            return Arrays.stream(values())
                    .filter(attribute -> attribute.text.equals(text))
                    .findFirst()
                    .orElseThrow(
                            () ->
                                    S3Exception.invalidArgument(
                                            "Invalid attribute name specified.", HEADER, text));
        }
    }

    void handle(S3Request request, Bucket bucket, S3Operation.GetObjectAttributes operation)
            throws IOException {
        ObjectKey key = Keys.of(operation.key());
        Set<Attribute> wanted = wanted(request);
        Stored stored = versions.open(request, bucket, key);
        encryptions.readerOf(request, stored.version());
        ObjectVersion version = stored.version();
        request.requireAllowed(version);
        if (HeadObject.answeredByCondition(request, version)) {
            return;
        }
        XmlWriter xml = XmlWriter.s3("GetObjectAttributesResponse");
        for (Attribute attribute : wanted) {
            switch (attribute) {
                case ETAG -> xml.text("ETag", version.etag());
                case CHECKSUM -> {
                    xml.open("Checksum");
                    Checksums.write(xml, version.checksums(), version.partCount());
                    xml.close();
                }
                case OBJECT_PARTS -> writeParts(xml, request, stored.parts());
                case STORAGE_CLASS ->
                        xml.text("StorageClass", Attributes.storageClass(version.attributes()));
                case OBJECT_SIZE -> xml.text("ObjectSize", version.size());
            }
        }
        request.respond(
                request.newHeaders().add("Last-Modified", S3Dates.http(version.modifiedMillis())),
                xml);
    }

    private static Set<Attribute> wanted(S3Request request) {
        Set<Attribute> wanted = EnumSet.noneOf(Attribute.class);
        for (String value : request.headerValues(HEADER)) {
            for (String name : value.split(",")) {
                if (!name.isBlank()) {
                    wanted.add(Attribute.of(name.strip()));
                }
            }
        }
        if (wanted.isEmpty()) {
            throw S3Exception.invalidRequest(
                    "The x-amz-object-attributes header specifying the attributes to be retrieved is"
                            + " either missing or empty");
        }
        return wanted;
    }

    private static void writeParts(XmlWriter xml, S3Request request, List<PartInfo> parts) {
        if (parts.isEmpty()) {
            return;
        }
        int limit =
                number(request, "x-amz-max-parts")
                        .map(count -> Math.min(count, Numbers.MAX_PAGE))
                        .orElse(Numbers.MAX_PAGE);
        int after = number(request, "x-amz-part-number-marker").orElse(0);
        List<PartInfo> rest = parts.stream().filter(part -> part.number() > after).toList();
        List<PartInfo> page = rest.subList(0, Math.min(limit, rest.size()));
        xml.open("ObjectParts")
                .text("PartsCount", parts.size())
                .text("PartNumberMarker", after)
                .text("NextPartNumberMarker", page.isEmpty() ? after : page.getLast().number())
                .text("MaxParts", limit)
                .text("IsTruncated", limit > 0 && rest.size() > page.size());
        for (PartInfo part : page) {
            xml.open("Part").text("PartNumber", part.number()).text("Size", part.size());
            Checksums.writeValue(xml, part.checksums(), 0);
            xml.close();
        }
        xml.close();
    }

    private static Optional<Integer> number(S3Request request, String header) {
        return request.nonEmptyHeader(header).map(text -> Numbers.nonNegative(header, text));
    }
}
