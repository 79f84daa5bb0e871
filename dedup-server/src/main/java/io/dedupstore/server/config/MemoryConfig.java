package io.dedupstore.server.config;

/**
 * Bounds of the buffers that requests hold, outside the heap.
 *
 * @param requestsBytes all running requests together; over it: 503 SlowDown
 * @param windowBytes one upload's window of chunks
 */
public record MemoryConfig(long requestsBytes, int windowBytes) {}
