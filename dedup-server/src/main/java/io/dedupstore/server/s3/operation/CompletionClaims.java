package io.dedupstore.server.s3.operation;

import io.dedupstore.core.metadata.ChecksumAlgorithm;
import io.dedupstore.core.metadata.ObjectChecksum;
import io.dedupstore.core.metadata.Upload;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the headers of a completion say about the object it makes.
 *
 * @param size in bytes
 * @param composite whether the checksum is said to be composite
 */
record CompletionClaims(
        OptionalLong size,
        Optional<Boolean> composite,
        Optional<ChecksumAlgorithm> algorithm,
        byte[] value) {
    private static final String SIZE = "x-amz-mp-object-size";
    private static final String TYPE = "x-amz-checksum-type";

    static CompletionClaims of(S3Request request) {
        Optional<Boolean> composite =
                request.nonEmptyHeader(TYPE).map(UploadChecksums::isComposite);
        OptionalLong size =
                request.nonEmptyHeader(SIZE)
                        .map(text -> OptionalLong.of(size(text)))
                        .orElse(OptionalLong.empty());
        for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
            String header = Checksums.header(algorithm);
            Optional<String> text = request.nonEmptyHeader(header);
            if (text.isPresent()) {
                byte[] value =
                        Checksums.decode(algorithm, withoutCount(text.get()))
                                .orElseThrow(
                                        () ->
                                                S3Exception.invalidRequest(
                                                        "Value for "
                                                                + header
                                                                + " header is invalid."));
                return new CompletionClaims(size, composite, Optional.of(algorithm), value);
            }
        }
        return new CompletionClaims(size, composite, Optional.empty(), new byte[0]);
    }

    void checkAgainst(Upload upload) {
        if (composite.isPresent() && composite.get() != upload.compositeChecksum()) {
            throw S3Exception.invalidRequest(
                    "The upload was created using the %s checksum mode. The complete request must use"
                                    .formatted(Checksums.type(upload.compositeChecksum()))
                            + " the same checksum mode.");
        }
        ChecksumAlgorithm expected = upload.checksumAlgorithm().orElse(ChecksumAlgorithm.CRC64NVME);
        if (algorithm.isPresent() && algorithm.get() != expected) {
            throw S3Exception.invalidRequest(
                    "Checksum Type mismatch occurred, expected checksum Type: %s, actual checksum Type: %s"
                            .formatted(
                                    Checksums.lowerCase(expected),
                                    Checksums.lowerCase(algorithm.get())));
        }
    }

    void checkSize(long computed) {
        if (size.isPresent() && size.getAsLong() != computed) {
            throw S3Exception.invalidRequest(
                    "The provided '%s' header value %d does not match what was computed: %d"
                            .formatted(SIZE, size.getAsLong(), computed));
        }
    }

    void checkValue(ObjectChecksum computed) {
        if (algorithm.isPresent() && !Arrays.equals(value, computed.value())) {
            throw BodyIntegrity.mismatch(algorithm.get());
        }
    }

    private static long size(String text) {
        try {
            long size = Long.parseLong(text);
            if (size < 0) {
                throw S3Exception.invalidRequest(
                        "Value for " + SIZE + " header is less than zero: '" + size + "'");
            }
            return size;
        } catch (NumberFormatException e) {
            throw S3Exception.invalidRequest(
                    "Value for " + SIZE + " header is invalid: '" + text + "'");
        }
    }

    /** A composite value ends in a dash and the number of parts. */
    private static String withoutCount(String text) {
        int dash = text.indexOf('-');
        return dash < 0 ? text : text.substring(0, dash);
    }
}
