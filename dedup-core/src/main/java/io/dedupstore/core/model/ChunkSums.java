package io.dedupstore.core.model;

/** CRCs of a chunk's plain bytes: CRC-32 (ISO-HDLC), CRC-32C (Castagnoli), CRC-64/NVME. */
public record ChunkSums(int crc32, int crc32c, long crc64nvme) {}
