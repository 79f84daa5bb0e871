package io.dedupstore.server.s3.operation;

import io.dedupstore.core.metadata.MetadataService.Stored;
import io.dedupstore.core.metadata.ObjectChecksum;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.metadata.PartInfo;
import io.dedupstore.server.http.ResponseHeaders;
import io.dedupstore.server.s3.S3Dates;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * What a GET or HEAD of a version is answered with: all of it, a range, or a part.
 *
 * @param offset first byte of the body
 * @param length bytes of the body
 */
record Reading(int status, ResponseHeaders headers, long offset, long length) {

    static Reading of(S3Request request, Stored stored) {
        ObjectVersion version = stored.version();
        Optional<String> range =
                request.nonEmptyHeader("range").filter(r -> ifRange(request, version));
        Optional<Integer> partNumber = Numbers.partNumber(request);
        if (range.isPresent() && partNumber.isPresent()) {
            throw S3Exception.invalidRequest(
                    "Cannot specify both Range header and partNumber query parameter");
        }
        ResponseHeaders headers = VersionHeaders.of(request, version);
        if (partNumber.isPresent()) {
            return part(request, stored, partNumber.get(), headers);
        }
        Optional<ByteRange> bytes = range.flatMap(r -> ByteRange.of(r, version.size()));
        if (bytes.isPresent()) {
            return partial(bytes.get(), version.size(), headers);
        }
        addChecksums(request, headers, version.checksums(), version.partCount());
        return new Reading(200, headers, 0, version.size());
    }

    private static Reading part(
            S3Request request, Stored stored, int number, ResponseHeaders headers) {
        ObjectVersion version = stored.version();
        List<PartInfo> parts = stored.parts();
        if (parts.isEmpty()) {
            if (number != 1) {
                throw noPart(number, 1);
            }
            addChecksums(request, headers, version.checksums(), version.partCount());
            return whole(version, headers);
        }
        headers.set("x-amz-mp-parts-count", Integer.toString(parts.size()));
        long offset = 0;
        for (PartInfo part : parts) {
            if (part.number() == number) {
                addChecksums(request, headers, part.checksums(), 0);
                return part.size() == 0
                        ? new Reading(200, headers, offset, 0)
                        : partial(new ByteRange(offset, part.size()), version.size(), headers);
            }
            offset += part.size();
        }
        throw noPart(number, parts.size());
    }

    private static Reading whole(ObjectVersion version, ResponseHeaders headers) {
        return version.size() == 0
                ? new Reading(200, headers, 0, 0)
                : partial(new ByteRange(0, version.size()), version.size(), headers);
    }

    private static Reading partial(ByteRange range, long size, ResponseHeaders headers) {
        headers.set("Content-Range", range.contentRange(size));
        return new Reading(206, headers, range.offset(), range.length());
    }

    /** Never for a range: clients hold the value against the bytes they get. */
    private static void addChecksums(
            S3Request request, ResponseHeaders headers, List<ObjectChecksum> checksums, int parts) {
        if (request.header("x-amz-checksum-mode").filter("ENABLED"::equalsIgnoreCase).isPresent()) {
            Checksums.addHeaders(headers, checksums, parts);
        }
    }

    /** Whether the range still refers to the version the client knows. */
    private static boolean ifRange(S3Request request, ObjectVersion version) {
        Optional<String> condition = request.nonEmptyHeader("if-range");
        if (condition.isEmpty()) {
            return true;
        }
        Instant modified =
                Instant.ofEpochMilli(version.modifiedMillis()).truncatedTo(ChronoUnit.SECONDS);
        return Etags.bare(condition.get()).equals(version.etag())
                || S3Dates.parse(condition.get()).filter(modified::equals).isPresent();
    }

    private static S3Exception noPart(int number, int count) {
        return new S3Exception(S3Error.INVALID_PART_NUMBER)
                .with("PartNumberRequested", Integer.toString(number))
                .with("ActualPartCount", Integer.toString(count));
    }
}
