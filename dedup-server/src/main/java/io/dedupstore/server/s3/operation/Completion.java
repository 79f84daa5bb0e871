package io.dedupstore.server.s3.operation;

import io.dedupstore.core.metadata.ChecksumAlgorithm;
import io.dedupstore.core.metadata.ObjectChecksum;
import io.dedupstore.core.metadata.PartInfo;
import io.dedupstore.core.metadata.Upload;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.XmlElement;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The parts that a completion names, held against those that were uploaded. */
final class Completion {
    private static final long MIN_PART_BYTES = 5L << 20;

    private Completion() {}

    /** A part as the client names it. */
    record Named(int number, String etag, Map<ChecksumAlgorithm, String> checksums) {}

    /**
     * @throws S3Exception MalformedXML, InvalidPartOrder, InvalidArgument
     */
    static List<Named> parse(XmlElement document) {
        List<Named> named = document.children("Part").stream().map(Completion::named).toList();
        if (named.isEmpty() || named.size() > PartInfo.MAX_NUMBER) {
            throw new S3Exception(S3Error.MALFORMED_XML);
        }
        for (int i = 1; i < named.size(); i++) {
            if (named.get(i).number() <= named.get(i - 1).number()) {
                throw new S3Exception(S3Error.INVALID_PART_ORDER);
            }
        }
        return named;
    }

    private static Named named(XmlElement part) {
        Map<ChecksumAlgorithm, String> checksums = new EnumMap<>(ChecksumAlgorithm.class);
        for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
            part.childText(Checksums.element(algorithm))
                    .map(String::strip)
                    .filter(text -> !text.isEmpty())
                    .ifPresent(text -> checksums.put(algorithm, text));
        }
        String number = part.requiredText("PartNumber").strip();
        try {
            return new Named(
                    Integer.parseInt(number), Etags.bare(part.requiredText("ETag")), checksums);
        } catch (NumberFormatException e) {
            throw new S3Exception(S3Error.MALFORMED_XML, S3Error.MALFORMED_XML.message(), e);
        }
    }

    /**
     * The uploaded parts that were named.
     *
     * @throws S3Exception InvalidPart, EntityTooSmall, InvalidRequest
     */
    static List<PartInfo> match(Upload upload, List<Named> named, Map<Integer, PartInfo> uploaded) {
        List<PartInfo> parts = new ArrayList<>(named.size());
        for (Named one : named) {
            PartInfo part = uploaded.get(one.number());
            if (part == null || !part.etag().equals(one.etag())) {
                throw invalidPart(upload, one);
            }
            checkChecksums(upload, one, part);
            parts.add(part);
        }
        for (PartInfo part : parts.subList(0, parts.size() - 1)) {
            if (part.size() < MIN_PART_BYTES) {
                throw new S3Exception(S3Error.ENTITY_TOO_SMALL)
                        .with("ProposedSize", Long.toString(part.size()))
                        .with("MinSizeAllowed", Long.toString(MIN_PART_BYTES))
                        .with("PartNumber", Integer.toString(part.number()))
                        .with("ETag", part.etag());
            }
        }
        return parts;
    }

    private static void checkChecksums(Upload upload, Named named, PartInfo part) {
        named.checksums()
                .forEach(
                        (algorithm, text) -> {
                            Optional<ObjectChecksum> kept = UploadChecksums.find(part, algorithm);
                            boolean holds =
                                    kept.map(k -> Base64.getEncoder().encodeToString(k.value()))
                                            .filter(text::equals)
                                            .isPresent();
                            if (!holds) {
                                throw invalidPart(upload, named);
                            }
                        });
        upload.checksumAlgorithm()
                .filter(algorithm -> upload.compositeChecksum())
                .filter(algorithm -> !named.checksums().containsKey(algorithm))
                .ifPresent(
                        algorithm -> {
                            throw S3Exception.invalidRequest(
                                    ("The upload was created using a %s checksum. The complete request"
                                                    + " must include the checksum for each part. It was"
                                                    + " missing for part %d in the request.")
                                            .formatted(
                                                    Checksums.lowerCase(algorithm),
                                                    named.number()));
                        });
    }

    private static S3Exception invalidPart(Upload upload, Named named) {
        return new S3Exception(S3Error.INVALID_PART)
                .with("UploadId", UploadIds.format(upload.id()))
                .with("PartNumber", Integer.toString(named.number()))
                .with("ETag", named.etag());
    }
}
