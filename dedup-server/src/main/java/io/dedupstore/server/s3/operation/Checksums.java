package io.dedupstore.server.s3.operation;

import io.dedupstore.core.metadata.ChecksumAlgorithm;
import io.dedupstore.core.metadata.ObjectChecksum;
import io.dedupstore.core.model.ChunkSums;
import io.dedupstore.server.http.ResponseHeaders;
import io.dedupstore.server.s3.XmlWriter;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Names and values of additional checksums on the wire. */
final class Checksums {
    static final String HEADER_PREFIX = "x-amz-checksum-";
    static final String COMPOSITE = "COMPOSITE";
    static final String FULL_OBJECT = "FULL_OBJECT";

    private Checksums() {}

    /** By its name in the API, e.g. {@code CRC32C}, in any case. */
    static Optional<ChecksumAlgorithm> algorithm(String name) {
        for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
            if (algorithm.name().equals(name.strip().toUpperCase(Locale.ROOT))) {
                return Optional.of(algorithm);
            }
        }
        return Optional.empty();
    }

    static String header(ChecksumAlgorithm algorithm) {
        return HEADER_PREFIX + lowerCase(algorithm);
    }

    static String element(ChecksumAlgorithm algorithm) {
        return "Checksum" + algorithm.name();
    }

    static String lowerCase(ChecksumAlgorithm algorithm) {
        return algorithm.name().toLowerCase(Locale.ROOT);
    }

    static String type(boolean composite) {
        return composite ? COMPOSITE : FULL_OBJECT;
    }

    /** A value of the right length, or empty. */
    static Optional<byte[]> decode(ChecksumAlgorithm algorithm, String base64) {
        try {
            byte[] value = Base64.getDecoder().decode(base64.strip());
            return value.length == algorithm.bytes() ? Optional.of(value) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** As clients see it; a composite one tells of how many parts it is. */
    static String format(ObjectChecksum checksum, int parts) {
        String base64 = Base64.getEncoder().encodeToString(checksum.value());
        return checksum.composite() ? base64 + "-" + parts : base64;
    }

    static ObjectChecksum full(ChecksumAlgorithm algorithm, byte[] value) {
        return new ObjectChecksum(algorithm, false, value);
    }

    /** The value of a CRC, big-endian; empty for the algorithms that are no CRC. */
    static Optional<byte[]> ofSums(ChecksumAlgorithm algorithm, ChunkSums sums) {
        return switch (algorithm) {
            case CRC32 -> Optional.of(ByteBuffer.allocate(4).putInt(sums.crc32()).array());
            case CRC32C -> Optional.of(ByteBuffer.allocate(4).putInt(sums.crc32c()).array());
            case CRC64NVME -> Optional.of(ByteBuffer.allocate(8).putLong(sums.crc64nvme()).array());
            case SHA1, SHA256, SHA512, MD5, XXHASH64, XXHASH3, XXHASH128 -> Optional.empty();
        };
    }

    static void addHeaders(ResponseHeaders headers, List<ObjectChecksum> checksums, int parts) {
        checksums.stream()
                .findFirst()
                .ifPresent(
                        checksum -> {
                            headers.set(header(checksum.algorithm()), format(checksum, parts));
                            headers.set("x-amz-checksum-type", type(checksum.composite()));
                        });
    }

    /** Value and type of the first checksum, the one the client chose. */
    static void write(XmlWriter xml, List<ObjectChecksum> checksums, int parts) {
        writeValue(xml, checksums, parts);
        checksums.stream()
                .findFirst()
                .ifPresent(checksum -> xml.text("ChecksumType", type(checksum.composite())));
    }

    static void writeValue(XmlWriter xml, List<ObjectChecksum> checksums, int parts) {
        checksums.stream()
                .findFirst()
                .ifPresent(
                        checksum ->
                                xml.text(element(checksum.algorithm()), format(checksum, parts)));
    }
}
