package io.dedupstore.server.s3.operation;

import io.dedupstore.core.checksum.Crc32;
import io.dedupstore.core.checksum.Crc32c;
import io.dedupstore.core.checksum.Crc64Nvme;
import io.dedupstore.core.metadata.ChecksumAlgorithm;
import io.dedupstore.core.metadata.ObjectChecksum;
import io.dedupstore.core.metadata.PartInfo;
import io.dedupstore.core.metadata.Upload;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checksums of multipart uploads. Each part keeps the upload's algorithm (or the client's) first
 * and CRC64NVME besides, so that a whole-object value can always be combined.
 */
final class UploadChecksums {
    private static final String ALGORITHM = "x-amz-checksum-algorithm";
    private static final String TYPE = "x-amz-checksum-type";

    private UploadChecksums() {}

    /** What the creation of an upload says. */
    record Declared(Optional<ChecksumAlgorithm> algorithm, boolean composite) {}

    static Declared declared(S3Request request) {
        Optional<ChecksumAlgorithm> algorithm =
                request.nonEmptyHeader(ALGORITHM).map(UploadChecksums::algorithm);
        Optional<Boolean> composite =
                request.nonEmptyHeader(TYPE).map(UploadChecksums::isComposite);
        if (algorithm.isEmpty()) {
            if (composite.isPresent()) {
                throw S3Exception.invalidRequest(
                        "The x-amz-checksum-type header can only be used with the"
                                + " x-amz-checksum-algorithm header.");
            }
            return new Declared(Optional.empty(), false);
        }
        boolean isComposite = composite.orElse(algorithm.get() != ChecksumAlgorithm.CRC64NVME);
        requireSupported(algorithm.get(), isComposite);
        return new Declared(algorithm, isComposite);
    }

    /**
     * @throws S3Exception InvalidRequest
     */
    static ChecksumAlgorithm algorithm(String name) {
        return Checksums.algorithm(name)
                .orElseThrow(
                        () ->
                                S3Exception.invalidRequest(
                                        "Checksum algorithm provided is unsupported. Please try again"
                                                + " with any of the valid types: [CRC32, CRC32C,"
                                                + " CRC64NVME, SHA1, SHA256, SHA512, MD5, XXHASH64,"
                                                + " XXHASH3, XXHASH128]"));
    }

    static boolean isComposite(String type) {
        return switch (type) {
            case Checksums.COMPOSITE -> true;
            case Checksums.FULL_OBJECT -> false;
            default ->
                    throw S3Exception.invalidRequest(
                            "Value for x-amz-checksum-type header is invalid.");
        };
    }

    private static void requireSupported(ChecksumAlgorithm algorithm, boolean composite) {
        boolean supported =
                switch (algorithm) {
                    case CRC32, CRC32C -> true;
                    case CRC64NVME -> !composite;
                    case SHA1, SHA256, SHA512, MD5, XXHASH64, XXHASH3, XXHASH128 -> composite;
                };
        if (!supported) {
            throw S3Exception.invalidRequest(
                    "The %s checksum type cannot be used with the %s checksum algorithm."
                            .formatted(Checksums.type(composite), Checksums.lowerCase(algorithm)));
        }
    }

    /**
     * Holds what a part brings against what its upload was created with.
     *
     * @throws S3Exception InvalidRequest
     */
    static void checkPart(Upload upload, Optional<ChecksumAlgorithm> part) {
        if (upload.checksumAlgorithm().isEmpty()) {
            return;
        }
        ChecksumAlgorithm expected = upload.checksumAlgorithm().get();
        boolean missing = part.isEmpty() && upload.compositeChecksum();
        boolean differs = part.isPresent() && part.get() != expected;
        if (missing || differs) {
            throw S3Exception.invalidRequest(
                    "Checksum Type mismatch occurred, expected checksum Type: %s, actual checksum"
                                    .formatted(Checksums.lowerCase(expected))
                            + " Type: "
                            + part.map(Checksums::lowerCase).orElse("null"));
        }
    }

    /** What must be computed of a part. */
    static Set<ChecksumAlgorithm> needed(Upload upload) {
        Set<ChecksumAlgorithm> needed = EnumSet.of(ChecksumAlgorithm.CRC64NVME);
        upload.checksumAlgorithm().ifPresent(needed::add);
        return needed;
    }

    /** What is kept of a part. */
    static List<ObjectChecksum> ofPart(
            Upload upload, Optional<ChecksumAlgorithm> client, Digests digests) {
        List<ChecksumAlgorithm> kept = new ArrayList<>();
        upload.checksumAlgorithm().or(() -> client).ifPresent(kept::add);
        if (!kept.contains(ChecksumAlgorithm.CRC64NVME)) {
            kept.add(ChecksumAlgorithm.CRC64NVME);
        }
        return kept.stream()
                .map(algorithm -> Checksums.full(algorithm, digests.value(algorithm)))
                .toList();
    }

    static Optional<ObjectChecksum> find(PartInfo part, ChecksumAlgorithm algorithm) {
        return part.checksums().stream()
                .filter(checksum -> checksum.algorithm() == algorithm)
                .findFirst();
    }

    /** Of all bytes, from those of the parts; only for CRCs. */
    static ObjectChecksum combined(ChecksumAlgorithm algorithm, List<PartInfo> parts) {
        byte[] value = new byte[algorithm.bytes()];
        for (PartInfo part : parts) {
            value = combine(algorithm, value, require(part, algorithm), part.size());
        }
        return Checksums.full(algorithm, value);
    }

    /** The bytes that a composite checksum is the digest of. */
    static byte[] concatenated(ChecksumAlgorithm algorithm, List<PartInfo> parts) {
        return Bytes.concat(
                parts.stream().map(part -> require(part, algorithm)).toArray(byte[][]::new));
    }

    private static byte[] require(PartInfo part, ChecksumAlgorithm algorithm) {
        return find(part, algorithm)
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "part " + part.number() + " has no " + algorithm))
                .value();
    }

    private static byte[] combine(
            ChecksumAlgorithm algorithm, byte[] all, byte[] next, long nextLength) {
        return switch (algorithm) {
            case CRC32 -> ofInt(Crc32.combine(toInt(all), toInt(next), nextLength));
            case CRC32C -> ofInt(Crc32c.combine(toInt(all), toInt(next), nextLength));
            case CRC64NVME ->
                    ByteBuffer.allocate(Long.BYTES)
                            .putLong(
                                    Crc64Nvme.combine(
                                            ByteBuffer.wrap(all).getLong(),
                                            ByteBuffer.wrap(next).getLong(),
                                            nextLength))
                            .array();
            case SHA1, SHA256, SHA512, MD5, XXHASH64, XXHASH3, XXHASH128 ->
                    throw new IllegalArgumentException(algorithm + " values do not combine");
        };
    }

    private static int toInt(byte[] value) {
        return ByteBuffer.wrap(value).getInt();
    }

    private static byte[] ofInt(int value) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
    }
}
