package io.dedupstore.server.storage;

import io.dedupstore.core.checksum.AtRestChecksum;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How a storage node works.
 *
 * @param drives one directory for each drive
 * @param containerBytes size at which a container is sealed and another opened
 * @param checksum of new containers
 * @param durability when appends are acknowledged
 * @param minFreeBytes below this much free space a drive takes no appends
 * @param grace how long freed slots stay readable
 * @param compactAtDeadPercent share of dead bytes at which a container is rewritten
 * @param compactionBytesPerSecond rate limit of rewriting
 * @param scrubBytesPerSecond rate limit of verifying
 * @param scrubInterval from the beginning of one scrub to that of the next; 0 for none but by
 *     command
 * @param maintenanceInterval pause between looks for containers to compact
 * @param directoryCacheBytes memory for slot directories of sealed containers
 * @param maxOpenFiles containers kept open for reading
 * @param diskThreads platform threads that wait for the disk
 * @param maxQueuedCalls calls that may wait for one of them; more wait outside
 */
public record StorageSettings(
        List<Path> drives,
        long containerBytes,
        AtRestChecksum checksum,
        Durability durability,
        long minFreeBytes,
        Duration grace,
        int compactAtDeadPercent,
        long compactionBytesPerSecond,
        long scrubBytesPerSecond,
        Duration scrubInterval,
        Duration maintenanceInterval,
        long directoryCacheBytes,
        int maxOpenFiles,
        int diskThreads,
        int maxQueuedCalls) {

    /** When an append is acknowledged. */
    public enum Durability {
        /** When it would survive a power failure. */
        FSYNC,
        /** When the operating system has it: a power failure loses the last seconds. */
        RELAXED
    }

    public StorageSettings {
        drives = List.copyOf(drives);
        require(!drives.isEmpty(), "at least one drive directory");
        require(
                containerBytes >= 1 << 20 && containerBytes <= 4L << 30,
                "container size between 1 MiB and 4 GiB");
        require(minFreeBytes >= 0, "free space watermark of 0 bytes or more");
        require(!grace.isNegative(), "grace period of 0 or more");
        require(
                compactAtDeadPercent >= 1 && compactAtDeadPercent <= 100,
                "compaction threshold between 1 and 100 percent");
        require(compactionBytesPerSecond >= 1 << 20, "compaction rate of 1 MiB/s or more");
        require(scrubBytesPerSecond >= 1, "scrub rate of 1 byte/s or more");
        require(!scrubInterval.isNegative(), "scrub interval of 0 or more");
        require(maintenanceInterval.isPositive(), "positive maintenance interval");
        require(directoryCacheBytes >= 1 << 20, "directory cache of 1 MiB or more");
        require(maxOpenFiles >= 8, "8 open files or more");
        require(diskThreads >= 2, "2 disk threads or more");
        require(maxQueuedCalls >= 1, "1 queued call or more");
    }

    public static StorageSettings defaults(List<Path> drives) {
        return new StorageSettings(
                drives,
                256L << 20,
                AtRestChecksum.CRC32C,
                Durability.FSYNC,
                1L << 30,
                Duration.ofMinutes(15),
                25,
                64L << 20,
                16L << 20,
                Duration.ofDays(14),
                Duration.ofSeconds(30),
                64L << 20,
                512,
                16,
                1024);
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new IllegalArgumentException("storage settings need: " + what);
        }
    }
}
