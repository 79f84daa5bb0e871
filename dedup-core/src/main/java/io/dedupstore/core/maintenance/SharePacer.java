package io.dedupstore.core.maintenance;

import java.util.concurrent.TimeUnit;

/**
 * Keeps work that can wait out of the way of requests: it says for how long a piece of such work
 * rests after it has run, so that it has at most a share of the time while requests come, and all
 * of it while none do.
 *
 * <p>The share follows what requests feel. Those that ran beside no such work give the calm
 * picture: an estimate of the latency that one in a hundred exceeds, learnt by small steps. Of all
 * requests it is then counted how many exceed it by more than a tenth. Where that is clearly more
 * than one in a hundred the share is cut by a quarter, otherwise it grows by little. There is a
 * least share, so that the work always comes to its end; before enough is known the share is the
 * smallest that moves work along well, not the largest.
 *
 * <p>Work that cannot keep up with what requests leave behind must not wait for ever: whoever sees
 * it pile up raises the {@link #pressure}, and with it the least share, up to all of the time.
 *
 * <p>Times are a monotonic clock's. Any thread.
 */
public final class SharePacer {
    private static final double TOLERANCE = 1.1;
    private static final double TAIL = 0.01;

    /**
     * Clearly more than one in a hundred: what chance alone seldom shows over the samples below.
     */
    private static final double TOO_MANY = 0.025;

    private static final double SAMPLES = 400;
    private static final int TRUSTED_CALM = 200;
    private static final double STEP = 0.03;
    private static final double CUT = 0.75;
    private static final double GROWTH = 1.05;
    private static final long DECISION_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_REST_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final double leastShare;
    private final double mostShare;
    private double share;
    private double pressure;
    private double calmTail;
    private long calm;
    private double slow = TAIL;
    private boolean seen;
    private long lastRequestNanos;
    private long lastDecisionNanos;

    /**
     * @param leastShare of the time, while requests come; above 0
     * @param mostShare at most 1
     */
    public SharePacer(double leastShare, double mostShare) {
        if (!(leastShare > 0 && leastShare <= mostShare && mostShare <= 1)) {
            throw new IllegalArgumentException("shares: " + leastShare + ", " + mostShare);
        }
        this.leastShare = leastShare;
        this.mostShare = mostShare;
        this.share = Math.sqrt(leastShare * mostShare);
    }

    /**
     * A request was answered.
     *
     * @param disturbed whether work that can wait ran beside it
     */
    public synchronized void request(long latencyNanos, boolean disturbed, long nowNanos) {
        seen = true;
        lastRequestNanos = nowNanos;
        if (!disturbed) {
            learn(latencyNanos);
        }
        if (calm < TRUSTED_CALM) {
            return;
        }
        slow += ((latencyNanos > calmTail * TOLERANCE ? 1 : 0) - slow) / SAMPLES;
        if (nowNanos - lastDecisionNanos >= DECISION_NANOS) {
            lastDecisionNanos = nowNanos;
            share =
                    slow > TOO_MANY
                            ? Math.max(leastShare, share * CUT)
                            : Math.min(mostShare, share * GROWTH);
        }
    }

    /** Moves the estimate up by 99 parts where it is exceeded and down by one where it is not. */
    private void learn(long latencyNanos) {
        if (calm == 0) {
            calmTail = latencyNanos;
        }
        calm++;
        // Large steps first, then those that only follow slow changes.
        double step = calm < TRUSTED_CALM ? 10 * STEP : STEP;
        calmTail *= latencyNanos > calmTail ? 1 + step * (1 - TAIL) : 1 - step * TAIL;
    }

    /**
     * How much the work has piled up.
     *
     * @param newPressure 0 for not at all, 1 for so much that it may not rest
     */
    public synchronized void pressure(double newPressure) {
        pressure = Math.clamp(newPressure, 0, 1);
    }

    /** How long work that took so long rests before it goes on. */
    public synchronized long restNanos(long workNanos, long nowNanos) {
        boolean quiet = !seen || nowNanos - lastRequestNanos > QUIET_NANOS;
        double now = share();
        if (quiet || now >= 1) {
            return 0;
        }
        double rest = workNanos * ((1 - now) / now);
        return (long) Math.min(LONGEST_REST_NANOS, rest);
    }

    /** The share that such work has while requests come. */
    public synchronized double share() {
        return Math.max(share, Math.pow(leastShare, 1 - pressure));
    }

    /** Latency that one calm request in a hundred exceeds, estimated; 0 before it is known. */
    public synchronized double calmTailNanos() {
        return calm < TRUSTED_CALM ? 0 : calmTail;
    }
}
