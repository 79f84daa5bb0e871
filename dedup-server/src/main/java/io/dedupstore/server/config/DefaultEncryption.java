package io.dedupstore.server.config;

/** How objects are encrypted where nothing is said. */
public enum DefaultEncryption {
    NONE,
    SSE_S3
}
