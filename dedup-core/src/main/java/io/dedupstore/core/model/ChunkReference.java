package io.dedupstore.core.model;

/** A fingerprint together with the address that one owner's reference is bound to. */
public record ChunkReference(Fingerprint fingerprint, ChunkAddress address) {}
