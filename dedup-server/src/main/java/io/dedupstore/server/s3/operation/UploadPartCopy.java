package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.Body;
import io.dedupstore.core.metadata.ChecksumAlgorithm;
import io.dedupstore.core.metadata.MetadataException;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.MetadataService.Stored;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.metadata.PartInfo;
import io.dedupstore.core.metadata.Upload;
import io.dedupstore.core.model.ChunkSums;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.V;
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
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A part made of a range of an existing object, by reference where shard and dedup domain allow it.
 * Its ETag is taken over when the range is exactly something that has one, else the range is read
 * for its MD5.
 */
final class UploadPartCopy {
    private final S3Services services;
    private final MetadataService metadata;
    private final Digester digester;
    private final Encryptions encryptions;

    /** Of parts whose entity tags tell nothing. */
    private static final String NO_MD5 = "0".repeat(32);

    UploadPartCopy(S3Services services) {
        this.services = services;
        this.metadata = services.metadata();
        this.digester = new Digester(services);
        this.encryptions = new Encryptions(services);
    }

    /** Where the part goes. */
    private record Target(
            Bucket bucket, ObjectKey key, Upload upload, int number, Encrypted encrypted) {}

    void handle(S3Request request, Bucket bucket, S3Operation.UploadPartCopy operation)
            throws IOException {
        ObjectKey key = Keys.of(operation.key());
        int number = Numbers.partNumber(operation.partNumber());
        UnsupportedHeaders.check(request);
        Upload upload = UploadIds.find(metadata, bucket.id(), key, operation.uploadId());
        Encrypted encrypted = encryptions.ofPart(request, bucket, upload);
        Target target = new Target(bucket, key, upload, number, encrypted);
        CopySource source = CopySource.of(request, services);
        Optional<String> range = request.nonEmptyHeader("x-amz-copy-source-range");
        Copied copied = SourceChanges.retry(() -> copy(request, source, range, target));
        PartInfo part = copied.part();
        XmlWriter xml =
                XmlWriter.s3("CopyPartResult")
                        .text("LastModified", S3Dates.iso(part.modifiedMillis()))
                        .text("ETag", Etags.quoted(part.etag()));
        Checksums.writeValue(xml, part.checksums(), 0);
        ResponseHeaders headers = request.newHeaders();
        source.nameIn(headers, services.control(), copied.source());
        encrypted.addTo(headers);
        request.respond(headers, xml);
    }

    /** The part that was made, and of what. */
    private record Copied(ObjectVersion source, PartInfo part) {}

    private Copied copy(
            S3Request request, CopySource source, Optional<String> rangeHeader, Target target)
            throws IOException {
        Stored stored = source.open(metadata);
        request.requireAllowed(stored.version());
        ObjectReader reader = encryptions.readerOfSource(request, stored.version());
        long size = stored.version().size();
        ByteRange range =
                rangeHeader
                        .map(header -> ByteRange.ofCopySource(header, size))
                        .orElseGet(() -> new ByteRange(0, size));
        if (range.length() > Payload.MAX_BYTES) {
            throw S3Exception.invalidRequest(
                    "The specified copy source is larger than the maximum allowable size for a copy"
                            + " source: "
                            + Payload.MAX_BYTES);
        }
        if (canShare(source, stored, range, target)) {
            try {
                return new Copied(stored.version(), share(source, stored, range, target));
            } catch (MetadataException e) {
                // The range is in more pieces than a part may refer to: it is written in one.
                if (e.code() != MetadataException.Code.TOO_MANY_SEGMENTS) {
                    throw e;
                }
            }
        }
        return new Copied(stored.version(), stream(source, stored, range, target, reader));
    }

    private boolean canShare(CopySource source, Stored stored, ByteRange range, Target target) {
        return source.canShare(
                        metadata,
                        stored.version(),
                        target.bucket(),
                        target.key(),
                        target.encrypted())
                && ObjectReader.canSlice(stored.body(), range.offset(), range.length());
    }

    private PartInfo share(CopySource source, Stored stored, ByteRange range, Target target)
            throws IOException {
        Digests digests = digests(source, stored, range, target);
        V v = services.attempts().get();
        Body slice = ObjectReader.slice(stored.body(), range.offset(), range.length());
        return metadata.copyPart(
                v,
                source.bucket().id(),
                stored.version(),
                target.bucket().id(),
                target.key(),
                target.upload().id(),
                target.number(),
                slice,
                target.encrypted().etag(v, digests.md5()),
                UploadChecksums.ofPart(target.upload(), Optional.empty(), digests));
    }

    private Digests digests(CopySource source, Stored stored, ByteRange range, Target target)
            throws IOException {
        Set<ChecksumAlgorithm> costly = Digester.costly(UploadChecksums.needed(target.upload()));
        Optional<String> md5 =
                Encrypted.hasOpaqueEtags(target.encrypted().encryption())
                        ? Optional.of(NO_MD5)
                        : knownMd5(stored, range);
        if (md5.isEmpty() || !costly.isEmpty()) {
            return digester.ofStored(
                    source.bucket().id(), source.key(), stored.body(), range, costly);
        }
        ChunkSums sums =
                services.reader()
                        .sums(
                                source.bucket().id(),
                                source.key(),
                                stored.body(),
                                range.offset(),
                                range.length());
        return new Digests(HexFormat.of().parseHex(md5.get()), sums, Map.of());
    }

    /** The MD5 of a range that is a whole object or a whole part. */
    static Optional<String> knownMd5(Stored stored, ByteRange range) {
        if (Encrypted.hasOpaqueEtags(stored.version().attributes().encryption())) {
            return Optional.empty();
        }
        boolean whole = range.offset() == 0 && range.length() == stored.version().size();
        if (whole && Etags.isMd5(stored.version().etag())) {
            return Optional.of(stored.version().etag());
        }
        long offset = 0;
        for (PartInfo part : stored.parts()) {
            if (offset == range.offset() && part.size() == range.length()) {
                return Optional.of(part.etag()).filter(Etags::isMd5);
            }
            offset += part.size();
        }
        return Optional.empty();
    }

    private PartInfo stream(
            CopySource source, Stored stored, ByteRange range, Target target, ObjectReader reader)
            throws IOException {
        WriteTarget where = WriteTargets.of(target.bucket(), target.key(), target.encrypted());
        StoredSource bytes =
                new StoredSource(reader, source.bucket().id(), source.key(), stored.body(), range);
        Set<ChecksumAlgorithm> costly = Digester.costly(UploadChecksums.needed(target.upload()));
        WrittenBody written = services.writer().write(where, bytes, range.length(), costly);
        Digests digests = Digests.of(written);
        return metadata.putPart(
                target.bucket().id(),
                target.key(),
                target.upload().id(),
                target.number(),
                written.body(),
                target.encrypted().etag(written.body().v(), digests.md5()),
                UploadChecksums.ofPart(target.upload(), Optional.empty(), digests));
    }
}
