package io.dedupstore.client.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the verification of stored chunks stands: the one under way, or the last one.
 *
 * @param state running or idle
 * @param startedAt null before the first
 * @param endedAt of the last that ended; null before
 * @param containers verified
 * @param allContainers there are now
 * @param allBytes of their files; those of freed chunks are not read
 * @param damaged records found damaged by it
 * @param damagedNow chunks that are known to be damaged at present
 * @param addresses the first of these, as container:slot
 * @param bytesPerSecond limit of reading
 */
public record ScrubReport(
        String state,
        @Nullable String startedAt,
        @Nullable String endedAt,
        long containers,
        long allContainers,
        long records,
        long bytes,
        long allBytes,
        long damaged,
        long damagedNow,
        List<String> addresses,
        long bytesPerSecond) {
    public static final String RUNNING = "running";
    public static final String IDLE = "idle";

    public ScrubReport {
        addresses = List.copyOf(addresses);
    }
}
