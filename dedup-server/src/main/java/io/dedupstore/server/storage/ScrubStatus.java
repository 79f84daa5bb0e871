package io.dedupstore.server.storage;

import io.dedupstore.core.model.ChunkAddress;
import java.util.List;

/**
 * How the scrub of a node's containers stands; of the pass under way, or of the last one.
 *
 * @param passes begun so far, of all drives together
 * @param startedMillis 0 before the first
 * @param endedMillis when the last pass ended; 0 before the first has
 * @param containers verified
 * @param allContainers there are now, those open for appends excepted
 * @param allBytes of their files
 * @param damaged records found damaged in the pass
 * @param damagedNow slots known to be damaged and not yet found whole again or freed
 * @param named the first of these
 * @param bytesPerSecond limit of reading
 */
public record ScrubStatus(
        boolean running,
        long passes,
        long startedMillis,
        long endedMillis,
        long containers,
        long allContainers,
        long records,
        long bytes,
        long allBytes,
        long damaged,
        long damagedNow,
        List<ChunkAddress> named,
        long bytesPerSecond) {
    public ScrubStatus {
        named = List.copyOf(named);
    }
}
