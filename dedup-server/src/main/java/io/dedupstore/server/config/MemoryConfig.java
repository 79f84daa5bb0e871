package io.dedupstore.server.config;

/**
 * Bounds of the buffers that requests hold, outside the heap.
 *
 * @param requestsBytes all running requests together; over it: 503 SlowDown
 */
public record MemoryConfig(long requestsBytes) {}
