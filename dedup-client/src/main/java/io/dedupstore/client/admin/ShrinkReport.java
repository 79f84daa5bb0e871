package io.dedupstore.client.admin;

/** Bytes of the index's tables before and after. */
public record ShrinkReport(long bytesBefore, long bytesAfter, double seconds) {}
