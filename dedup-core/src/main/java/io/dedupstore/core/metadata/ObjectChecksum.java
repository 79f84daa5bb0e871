package io.dedupstore.core.metadata;

import java.util.Arrays;

/**
 * A checksum of an object or part.
 *
 * @param composite true: checksum of the parts' checksums (S3 type COMPOSITE), false: of all bytes
 *     (FULL_OBJECT)
 * @param value big-endian
 */
public record ObjectChecksum(ChecksumAlgorithm algorithm, boolean composite, byte[] value) {
    public ObjectChecksum {
        if (value.length != algorithm.bytes()) {
            throw new IllegalArgumentException(algorithm + " has " + algorithm.bytes() + " bytes");
        }
        value = value.clone();
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof ObjectChecksum c
                && algorithm == c.algorithm
                && composite == c.composite
                && Arrays.equals(value, c.value);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(value);
    }
}
