package io.dedupstore.client.admin;

/**
 * What lies on the drives.
 *
 * @param containers open and sealed ones
 * @param containerBytes length of all container files
 * @param liveBytes of them, records that something refers to; the rest comes back by compaction
 * @param metadataBytes rows of objects, manifests and parts, inline objects included
 * @param indexBytes fingerprint index tables and logs
 * @param freeBytes what the data directory's file system has left
 */
public record StorageReport(
        long containers,
        long openContainers,
        long containerBytes,
        long liveBytes,
        long metadataBytes,
        long indexBytes,
        long freeBytes) {}
