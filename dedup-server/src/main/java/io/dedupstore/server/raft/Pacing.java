package io.dedupstore.server.raft;

import io.dedupstore.core.maintenance.FlushPacer;
import java.time.Duration;

/**
 * How a group keeps its own work out of the way of requests.
 *
 * @param flushes whether flushes are paced; if not, they run at full speed when a cap is reached,
 *     and commands are never held back
 * @param hardFactor backlog at which commands are held back, in soft caps
 * @param leastFileBytesPerSecond files of the store may always be written at this rate
 * @param idle without commands after which what there is is flushed
 * @param leastShare of the time that commands which can wait have while requests come
 * @param mostShare the same; 1 for no limit
 */
public record Pacing(
        boolean flushes,
        double hardFactor,
        long leastFileBytesPerSecond,
        Duration idle,
        double leastShare,
        double mostShare) {
    public static final Pacing DEFAULT =
            new Pacing(true, 2, 32L << 20, Duration.ofMinutes(1), 0.02, 0.5);

    public Pacing {
        if (!(leastShare > 0 && leastShare <= mostShare && mostShare <= 1)) {
            throw new IllegalArgumentException("shares: " + leastShare + ", " + mostShare);
        }
        if (!idle.isPositive()) {
            throw new IllegalArgumentException("an idle time of " + idle);
        }
    }

    FlushPacer.Limits limits(long softOperations, long softBytes) {
        return new FlushPacer.Limits(
                softOperations, softBytes, hardFactor, leastFileBytesPerSecond, idle.toNanos());
    }
}
