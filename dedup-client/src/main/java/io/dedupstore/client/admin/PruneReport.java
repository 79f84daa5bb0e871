package io.dedupstore.client.admin;

/**
 * What a prune did, or would do.
 *
 * @param dryRun whether it only counted
 * @param scanned entries with one reference
 * @param planned of them, those to go
 * @param untouchedSince ISO 8601, UTC: what was touched later stays
 * @param pruned what went; entries claimed meanwhile stay
 * @param bytes plain bytes of their chunks, which stay with their owners
 */
public record PruneReport(
        boolean dryRun,
        long scanned,
        long planned,
        String untouchedSince,
        long pruned,
        long bytes) {}
