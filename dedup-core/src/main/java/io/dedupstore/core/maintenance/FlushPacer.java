package io.dedupstore.core.maintenance;

import java.util.concurrent.TimeUnit;

/**
 * Decides when a store that has no log of its own is flushed, how fast its files may be written,
 * and how long new commands are held back, so that replay after a crash stays bounded and no flush
 * is felt as a spike.
 *
 * <p>The backlog is what would have to be replayed, in parts of the soft cap: operations or bytes,
 * whichever is the larger part. The flush begins early enough to end at the soft cap, from the
 * averages of what comes in and of how long flushes have taken, or when nothing has come for a
 * while, which makes the next start quick at no one's cost.
 *
 * <p>Files are written at a multiple of what comes in (a burst counts at once, its end only
 * slowly), never below a floor, so that the writes of a flush and of the compactions behind it lie
 * evenly between the syncs of the log. While the backlog is above the soft cap and grows, pressure
 * rises and the rate with it; below, pressure falls, not under one. Above the hard cap files are
 * written as fast as they can be, and commands are held back by a little, then more, up to a
 * longest delay: writers slow down, they are not stopped.
 *
 * <p>Averages are over about {@value #AVERAGED_TICKS} seconds or flushes. Times are a monotonic
 * clock's. Any thread.
 */
public final class FlushPacer {
    /** For {@link #bytesPerSecond}: no limit. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private static final int AVERAGED_TICKS = 10;
    private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final double LEAST_PRESSURE = 1;
    private static final double MOST_PRESSURE = 100;

    /** Bytes of tables written for a byte of log, flush and compaction together. */
    private static final int WRITE_AMPLIFICATION = 8;

    private static final long SHORTEST_DELAY_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long LONGEST_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /**
     * @param softOperations a flush aims at no more than these being replayed
     * @param softBytes or these, of log
     * @param hardFactor the hard cap in soft caps
     * @param leastBytesPerSecond files may always be written at this rate
     * @param idleNanos without any command, after which what there is is flushed
     */
    public record Limits(
            long softOperations,
            long softBytes,
            double hardFactor,
            long leastBytesPerSecond,
            long idleNanos) {
        public Limits {
            if (softOperations < 1 || softBytes < 1 || leastBytesPerSecond < 1 || idleNanos < 1) {
                throw new IllegalArgumentException("limits of flushing must be positive");
            }
            if (!(hardFactor > 1)) {
                throw new IllegalArgumentException("the hard cap must be above the soft one");
            }
        }
    }

    /**
     * How flushing stands.
     *
     * @param operations to be replayed at most, were there a crash now
     * @param bytes of log in which they are
     * @param ingestOperations a second, on average
     * @param ingestBytes a second, on average
     * @param flushSeconds of a flush, on average; 0 before the first
     * @param pressure 1 while flushing keeps up
     * @param bytesPerSecond at which files may be written; {@link #UNLIMITED} for no limit
     * @param delayNanos of a command that arrives now
     */
    public record Figures(
            long operations,
            long bytes,
            double ingestOperations,
            double ingestBytes,
            double flushSeconds,
            double pressure,
            long bytesPerSecond,
            long delayNanos,
            long flushes) {}

    private final Limits limits;
    private long operations;
    private long bytes;
    private long flushingOperations;
    private long flushingBytes;
    private long tickOperations;
    private long tickBytes;
    private long tickNanos;
    private long lastCommandNanos;
    private long flushStartNanos;
    private double ingestOperations;
    private double ingestBytes;
    private double latestBytes;
    private double flushSeconds;
    private double pressure = LEAST_PRESSURE;
    private double lastFill;
    private long flushes;
    private boolean flushing;
    private boolean forced;

    public FlushPacer(Limits limits, long nowNanos) {
        this.limits = limits;
        this.tickNanos = nowNanos;
        this.lastCommandNanos = nowNanos;
    }

    /** Commands were applied. */
    public synchronized void applied(int newOperations, long newBytes, long nowNanos) {
        operations += newOperations;
        bytes += newBytes;
        tickOperations += newOperations;
        tickBytes += newBytes;
        lastCommandNanos = nowNanos;
        tick(nowNanos);
    }

    /** To be called now and then when nothing is applied. */
    public synchronized void tick(long nowNanos) {
        long passed = nowNanos - tickNanos;
        if (passed < TICK_NANOS) {
            return;
        }
        double seconds = (double) passed / TICK_NANOS;
        ingestOperations = averaged(ingestOperations, tickOperations / seconds, seconds);
        latestBytes = tickBytes / seconds;
        ingestBytes = averaged(ingestBytes, latestBytes, seconds);
        tickOperations = 0;
        tickBytes = 0;
        tickNanos = nowNanos;
        press(fill());
    }

    private static double averaged(double average, double now, double weight) {
        double share = Math.min(1, weight / AVERAGED_TICKS);
        return average + (now - average) * share;
    }

    private void press(double fill) {
        if (fill > 1 && fill > lastFill) {
            pressure = Math.min(MOST_PRESSURE, pressure + fill);
        } else if (fill <= 1) {
            pressure = Math.max(LEAST_PRESSURE, pressure - (1.1 - fill));
        }
        lastFill = fill;
    }

    /** The backlog in soft caps, what is being flushed included. */
    private double fill() {
        return Math.max(
                (double) (operations + flushingOperations) / limits.softOperations(),
                (double) (bytes + flushingBytes) / limits.softBytes());
    }

    /** Whether a flush should begin now. */
    public synchronized boolean due(long nowNanos) {
        if (flushing || operations == 0 && bytes == 0) {
            return false;
        }
        if (nowNanos - lastCommandNanos >= limits.idleNanos()) {
            return true;
        }
        // Half a cap's worth is always gathered: small flushes cost compactions.
        double meanwhile =
                flushSeconds
                        * Math.max(
                                ingestOperations / limits.softOperations(),
                                ingestBytes / limits.softBytes());
        double now =
                Math.max(
                        (double) operations / limits.softOperations(),
                        (double) bytes / limits.softBytes());
        return now + Math.min(0.5, meanwhile) >= 1;
    }

    /**
     * @param hurry somebody waits for it: no limit on the rate of files
     */
    public synchronized void began(boolean hurry, long nowNanos) {
        if (flushing) {
            throw new IllegalStateException("two flushes at once");
        }
        flushing = true;
        forced = hurry;
        flushStartNanos = nowNanos;
        flushingOperations = operations;
        flushingBytes = bytes;
        operations = 0;
        bytes = 0;
    }

    /** Somebody waits for the flush that is under way. */
    public synchronized void hurry() {
        forced = flushing;
    }

    public synchronized void ended(boolean flushed, long nowNanos) {
        flushing = false;
        forced = false;
        if (flushed) {
            double seconds = (double) (nowNanos - flushStartNanos) / TICK_NANOS;
            flushSeconds = flushes == 0 ? seconds : averaged(flushSeconds, seconds, 1);
            flushes++;
        } else {
            operations += flushingOperations;
            bytes += flushingBytes;
        }
        flushingOperations = 0;
        flushingBytes = 0;
    }

    /** What the files of the store may be written at. */
    public synchronized long bytesPerSecond() {
        if (forced || fill() >= limits.hardFactor()) {
            return UNLIMITED;
        }
        double wanted = Math.max(ingestBytes, latestBytes) * WRITE_AMPLIFICATION;
        return (long) (Math.max(limits.leastBytesPerSecond(), wanted) * pressure);
    }

    /** How long a new command is held back. */
    public synchronized long delayNanos() {
        double over = (fill() - limits.hardFactor()) / limits.hardFactor();
        return over < 0
                ? 0
                : (long)
                        Math.min(
                                LONGEST_DELAY_NANOS,
                                SHORTEST_DELAY_NANOS + over * LONGEST_DELAY_NANOS);
    }

    public synchronized Figures figures() {
        return new Figures(
                operations + flushingOperations,
                bytes + flushingBytes,
                ingestOperations,
                ingestBytes,
                flushSeconds,
                pressure,
                bytesPerSecond(),
                delayNanos(),
                flushes);
    }
}
