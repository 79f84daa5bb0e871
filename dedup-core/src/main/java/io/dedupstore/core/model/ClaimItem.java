package io.dedupstore.core.model;

import org.jspecify.annotations.Nullable;

/**
 * One fingerprint of a CLAIM.
 *
 * @param offered an address this V itself has appended the chunk at, if it has
 * @param length plain bytes of the chunk
 */
public record ClaimItem(Fingerprint fingerprint, @Nullable ChunkAddress offered, int length) {}
