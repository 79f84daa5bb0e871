package io.dedupstore.server.s3.lifecycle;

/**
 * What the worker has done since the start.
 *
 * @param runs over all buckets, ended ones
 * @param bucket the one it is at; empty between runs
 * @param looked versions that were looked at
 * @param expired current objects that were deleted
 * @param removed versions that were not current, and are gone
 * @param tidied delete markers that hid nothing, and are gone
 * @param aborted uploads that were given up
 * @param locked versions that rules would have removed, and locks kept
 * @param failed actions that failed and are tried again in the next run
 */
public record LifecycleStatus(
        long runs,
        String bucket,
        long looked,
        long expired,
        long removed,
        long tidied,
        long aborted,
        long locked,
        long failed) {}
