package io.dedupstore.server.config;

import io.dedupstore.core.checksum.AtRestChecksum;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Where and how data is kept.
 *
 * @param dataDirectory absolute; exists and is writable
 * @param indexDirectory absolute; exists and is writable
 * @param containerBytes length at which a container is sealed
 * @param freedSlotGrace how long a freed slot stays readable
 * @param rebuildIndex whether the index is set aside at this start and made anew from manifests
 */
public record StorageConfig(
        Path dataDirectory,
        Path indexDirectory,
        long containerBytes,
        Durability durability,
        AtRestChecksum checksum,
        Duration freedSlotGrace,
        boolean rebuildIndex) {}
