package io.dedupstore.core.metadata;

/** Checksum algorithms a version can carry; the code is part of the persistent form. */
public enum ChecksumAlgorithm {
    CRC32(1, 4),
    CRC32C(2, 4),
    CRC64NVME(3, 8),
    SHA1(4, 20),
    SHA256(5, 32),
    SHA512(6, 64),
    MD5(7, 16),
    XXHASH64(8, 8),
    XXHASH3(9, 8),
    XXHASH128(10, 16);

    private final int code;
    private final int bytes;

    ChecksumAlgorithm(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
    }

    public int code() {
        return code;
    }

    /** Length of a value. */
    public int bytes() {
        return bytes;
    }

    public static ChecksumAlgorithm ofCode(int code) {
        for (ChecksumAlgorithm algorithm : values()) {
            if (algorithm.code == code) {
                return algorithm;
            }
        }
        throw new IllegalArgumentException("unknown checksum algorithm " + code);
    }
}
