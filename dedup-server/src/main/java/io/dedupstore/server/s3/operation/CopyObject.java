package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.ChecksumAlgorithm;
import io.dedupstore.core.metadata.Keeping;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.MetadataService.Stored;
import io.dedupstore.core.metadata.MetadataService.VersionSpec;
import io.dedupstore.core.metadata.ObjectAttributes;
import io.dedupstore.core.metadata.ObjectChecksum;
import io.dedupstore.core.metadata.ObjectLock;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.object.ObjectReader;
import io.dedupstore.core.object.WriteTarget;
import io.dedupstore.core.object.WrittenBody;
import io.dedupstore.server.http.ResponseHeaders;
import io.dedupstore.server.s3.S3Dates;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.XmlWriter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * PUT with a copy source. Within a metadata shard and dedup domain the copy refers to the same
 * bytes and nothing is moved, whatever the size; its ETag is the source's, since an MD5 could only
 * come from reading everything. Else the bytes stream through the writer.
 */
final class CopyObject {
    private final S3Services services;
    private final MetadataService metadata;
    private final CopyChecksums checksums;
    private final Expirations expirations;
    private final WriteLocks locks;
    private final Encryptions encryptions;
    private final NewObjectAccess newAccess;

    CopyObject(S3Services services) {
        this.services = services;
        this.metadata = services.metadata();
        this.checksums = new CopyChecksums(services);
        this.expirations = new Expirations(services);
        this.locks = new WriteLocks(services);
        this.encryptions = new Encryptions(services);
        this.newAccess = new NewObjectAccess(services);
    }

    /** What the request wants, but for the version that will be copied. */
    private record Wish(
            CopySource source,
            Bucket bucket,
            ObjectKey key,
            Optional<ObjectAttributes> replacement,
            Optional<SortedMap<String, String>> tags,
            ObjectLock lock,
            Optional<ChecksumAlgorithm> algorithm,
            Encrypted encrypted,
            WriteCondition condition,
            ObjectAttributes.Access access) {}

    void handle(S3Request request, Bucket bucket, S3Operation.CopyObject operation)
            throws IOException {
        ObjectKey key = Keys.of(operation.key());
        UnsupportedHeaders.check(request);
        CopySource source = CopySource.of(request, services);
        Wish wish =
                new Wish(
                        source,
                        bucket,
                        key,
                        replacement(request),
                        tags(request),
                        locks.of(request, bucket, operation.key()),
                        requestedAlgorithm(request),
                        encryptions.ofNew(request, bucket),
                        WriteCondition.of(request, key),
                        newAccess.of(request, bucket));
        if (wish.condition().isGiven()) {
            wish.condition().check(metadata.findObject(bucket.id(), key));
        }
        Copied copied = SourceChanges.retry(() -> copy(request, wish));
        ObjectVersion version = copied.version();
        XmlWriter xml =
                XmlWriter.s3("CopyObjectResult")
                        .text("LastModified", S3Dates.iso(version.modifiedMillis()))
                        .text("ETag", Etags.quoted(version.etag()));
        Checksums.write(xml, version.checksums(), version.partCount());
        ResponseHeaders headers = request.newHeaders();
        source.nameIn(headers, services.control(), copied.source());
        VersionIds.addNamed(headers, version.id());
        wish.encrypted().addTo(headers);
        wish.encrypted().addContext(headers);
        expirations.add(headers, bucket, version);
        request.respond(headers, xml);
    }

    /** What was made, and of what. */
    private record Copied(ObjectVersion source, ObjectVersion version) {}

    private Copied copy(S3Request request, Wish wish) throws IOException {
        Stored source = wish.source().open(metadata);
        request.requireAllowed(source.version());
        requireTagsAllowed(request, wish, source);
        ObjectReader reader = encryptions.readerOfSource(request, source.version());
        requireChange(request, wish);
        ObjectAttributes copied = Attributes.copied(source.version().attributes(), request);
        ObjectAttributes attributes =
                wish.replacement()
                        .orElse(copied)
                        .withTags(wish.tags().orElse(copied.tags()))
                        .withLock(wish.lock())
                        .withEncryption(wish.encrypted().encryption())
                        .withAccess(wish.access());
        boolean shares =
                wish.source()
                        .canShare(
                                metadata,
                                source.version(),
                                wish.bucket(),
                                wish.key(),
                                wish.encrypted());
        ObjectVersion version =
                shares ? share(wish, source, attributes) : stream(wish, source, attributes, reader);
        return new Copied(source.version(), version);
    }

    /** Tags that come along are read there and set here. */
    private void requireTagsAllowed(S3Request request, Wish wish, Stored source) {
        boolean copies = wish.tags().isEmpty() && !source.version().attributes().tags().isEmpty();
        if (copies) {
            CopySource from = wish.source();
            services.access()
                    .require(request, from.bucket(), from.key().text(), "s3:GetObjectTagging");
            services.access()
                    .require(request, wish.bucket(), wish.key().text(), "s3:PutObjectTagging");
        }
    }

    private ObjectVersion share(Wish wish, Stored source, ObjectAttributes attributes)
            throws IOException {
        CopySource from = wish.source();
        List<ObjectChecksum> values =
                checksums.ofCopy(from.bucket().id(), from.key(), source, wish.algorithm());
        VersionSpec spec =
                new VersionSpec(source.version().etag(), attributes, values, keeping(wish));
        return wish.condition()
                .decide(
                        () ->
                                metadata.copyObject(
                                        services.attempts().get(),
                                        from.bucket().id(),
                                        source.version(),
                                        wish.bucket().id(),
                                        wish.key(),
                                        spec,
                                        wish.condition().precondition()));
    }

    private ObjectVersion stream(
            Wish wish, Stored source, ObjectAttributes attributes, ObjectReader reader)
            throws IOException {
        ChecksumAlgorithm algorithm = CopyChecksums.chosen(source.version(), wish.algorithm());
        WriteTarget target = WriteTargets.of(wish.bucket(), wish.key(), wish.encrypted());
        long size = source.version().size();
        StoredSource bytes =
                new StoredSource(
                        reader,
                        wish.source().bucket().id(),
                        wish.source().key(),
                        source.body(),
                        new ByteRange(0, size));
        WrittenBody written =
                services.writer().write(target, bytes, size, Digester.costly(List.of(algorithm)));
        Digests digests = Digests.of(written);
        VersionSpec spec =
                new VersionSpec(
                        wish.encrypted().etag(written.body().v(), digests.md5()),
                        attributes,
                        List.of(Checksums.full(algorithm, digests.value(algorithm))),
                        keeping(wish));
        return wish.condition()
                .decide(
                        () ->
                                metadata.putObject(
                                        wish.bucket().id(),
                                        wish.key(),
                                        written.body(),
                                        spec,
                                        wish.condition().precondition()));
    }

    private Keeping keeping(Wish wish) {
        return BucketVersioning.keeping(services.control(), wish.bucket());
    }

    /** Other tags than the source's. */
    private static Optional<SortedMap<String, String>> tags(S3Request request) {
        String directive = request.nonEmptyHeader("x-amz-tagging-directive").orElse("COPY");
        return switch (directive) {
            case "COPY" -> Optional.empty();
            case "REPLACE" -> Optional.of(TagSet.ofHeader(request).byKey());
            default ->
                    throw S3Exception.invalidArgument(
                            "Unknown tagging directive.", "x-amz-tagging-directive", directive);
        };
    }

    private static Optional<ObjectAttributes> replacement(S3Request request) {
        String directive = request.nonEmptyHeader("x-amz-metadata-directive").orElse("COPY");
        return switch (directive) {
            case "COPY" -> Optional.empty();
            case "REPLACE" -> Optional.of(Attributes.of(request));
            default ->
                    throw S3Exception.invalidArgument(
                            "Unknown metadata directive.", "x-amz-metadata-directive", directive);
        };
    }

    private static Optional<ChecksumAlgorithm> requestedAlgorithm(S3Request request) {
        return request.nonEmptyHeader("x-amz-checksum-algorithm").map(UploadChecksums::algorithm);
    }

    private static void requireChange(S3Request request, Wish wish) {
        boolean toItself =
                wish.source().bucket().id().equals(wish.bucket().id())
                        && wish.source().key().equals(wish.key());
        boolean changes =
                wish.source().version().isPresent()
                        || wish.replacement().isPresent()
                        || wish.algorithm().isPresent()
                        || request.header(WantedEncryption.ALGORITHM).isPresent()
                        || wish.encrypted().hasCustomerKey()
                        || request.nonEmptyHeader(Attributes.STORAGE_CLASS).isPresent()
                        || request.nonEmptyHeader(Attributes.REDIRECT).isPresent();
        if (toItself && !changes) {
            throw S3Exception.invalidRequest(
                    "This copy request is illegal because it is trying to copy an object to itself"
                            + " without changing the object's metadata, storage class, website"
                            + " redirect location or encryption attributes.");
        }
    }
}
