package io.dedupstore.server.config;

import java.time.Duration;

/**
 * The pace of what runs by itself.
 *
 * @param deliveryThreads deliveries at once
 * @param releasesInFlight references on their way to the index
 * @param backgroundSharePercent most of a shard's time beside requests
 * @param flushPacing whether flushes are spread over time
 * @param replayOperations operations by which a store is flushed
 * @param replayLogBytes log by which a store is flushed
 * @param compactionRate bytes a second
 * @param scrubRate bytes a second; 0 for scrub by command only
 * @param scrubInterval between beginnings of scrubs
 * @param pruneRate entries a second
 * @param shrinkRate bytes a second
 * @param lifecycleDay what life-cycle rules mean by a day
 * @param lifecycleRate deletions a second by such rules
 */
public record MaintenanceConfig(
        int deliveryThreads,
        int releasesInFlight,
        int backgroundSharePercent,
        boolean flushPacing,
        int replayOperations,
        long replayLogBytes,
        long compactionRate,
        long scrubRate,
        Duration scrubInterval,
        int pruneRate,
        long shrinkRate,
        Duration lifecycleDay,
        int lifecycleRate) {}
