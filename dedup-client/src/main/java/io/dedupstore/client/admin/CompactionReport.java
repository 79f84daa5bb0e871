package io.dedupstore.client.admin;

/**
 * What one round of compaction did.
 *
 * @param rewritten containers whose live slots went into a new generation
 * @param deleted containers that held nothing live any more
 * @param freedBytes bytes of files that the file system got back
 */
public record CompactionReport(long examined, long rewritten, long deleted, long freedBytes) {}
