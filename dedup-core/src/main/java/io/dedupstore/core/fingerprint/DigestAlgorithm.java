package io.dedupstore.core.fingerprint;

/** Digests of whole bodies: payload signature, additional checksums, ETag. */
public enum DigestAlgorithm {
    SHA256("SHA-256", 32),
    SHA1("SHA-1", 20),
    MD5("MD5", 16),
    SHA512("SHA-512", 64),
    /** The XXH family in its canonical form, which is big-endian; seed 0. */
    XXHASH64("", 8),
    XXHASH3("", 8),
    XXHASH128("", 16);

    private final String jdkName;
    private final int length;

    DigestAlgorithm(String jdkName, int length) {
        this.jdkName = jdkName;
        this.length = length;
    }

    /** Whether the Java runtime has it. */
    boolean isOfRuntime() {
        return !jdkName.isEmpty();
    }

    String jdkName() {
        return jdkName;
    }

    /** Bytes of the digest. */
    public int length() {
        return length;
    }
}
