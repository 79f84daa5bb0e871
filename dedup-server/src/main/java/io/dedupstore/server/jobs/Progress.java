package io.dedupstore.server.jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * How far a job is: written by the thread that runs it, read by any. The rate is that of the last
 * seconds, so that an estimate follows what the machine does now.
 */
public final class Progress {
    private static final int MAX_ERRORS = 20;
    private static final double NANOS = 1e9;
    private static final long SAMPLE_NANOS = 1_000_000_000L;

    /** Weight of the newest sample. */
    private static final double NEWEST = 0.3;

    private final LongSupplier nanos;
    private final List<String> errors = new ArrayList<>();
    private volatile boolean cancelAsked;
    private boolean cancelNoticed;
    private String phase = "starting";
    private String unit = "";
    private long done;
    private long total;
    private long errorCount;
    private long phaseNanos;
    private long sampleNanos;
    private long sampleDone;
    private double perSecond;

    Progress(LongSupplier nanos) {
        this.nanos = nanos;
        begin(nanos.getAsLong());
    }

    private void begin(long now) {
        phaseNanos = now;
        sampleNanos = now;
        sampleDone = 0;
        perSecond = -1;
    }

    /**
     * A new phase begins.
     *
     * @param countedUnit such as {@code entries} or {@code bytes}
     * @param expected in all; 0 when it is not known
     */
    public synchronized void phase(String name, String countedUnit, long expected) {
        phase = name;
        unit = countedUnit;
        done = 0;
        total = expected;
        begin(nanos.getAsLong());
    }

    /** So much of the phase is done. */
    public synchronized void at(long nowDone) {
        done = nowDone;
        total = total == 0 ? 0 : Math.max(total, nowDone);
        long now = nanos.getAsLong();
        if (now - sampleNanos >= SAMPLE_NANOS) {
            double latest = (done - sampleDone) * NANOS / (now - sampleNanos);
            perSecond = perSecond < 0 ? latest : NEWEST * latest + (1 - NEWEST) * perSecond;
            sampleNanos = now;
            sampleDone = done;
        }
    }

    /** So much of a total that is known by now. */
    public synchronized void at(long nowDone, long expected) {
        total = expected;
        at(nowDone);
    }

    /** Something went wrong that does not end the job. */
    public synchronized void error(String what) {
        errorCount++;
        if (errors.size() < MAX_ERRORS) {
            errors.add(what);
        }
    }

    /** Whether to end now; the job then counts as cancelled. */
    public boolean cancelled() {
        if (!cancelAsked) {
            return false;
        }
        synchronized (this) {
            cancelNoticed = true;
        }
        return true;
    }

    void cancel() {
        cancelAsked = true;
    }

    synchronized boolean cancelNoticed() {
        return cancelNoticed;
    }

    /** Of the last seconds, or of the whole phase where those cannot tell. */
    private double rate(boolean running) {
        if (running && perSecond >= 0) {
            return perSecond;
        }
        long passed = (running ? nanos.getAsLong() : sampleNanos) - phaseNanos;
        return passed <= 0 ? 0 : done * NANOS / passed;
    }

    /** Nothing is counted any more. */
    synchronized void end() {
        sampleNanos = nanos.getAsLong();
    }

    synchronized JobState state(JobState blank) {
        boolean running = blank.state() == JobState.State.RUNNING;
        double rate = rate(running);
        long left = total - done;
        long eta = !running || total == 0 || rate <= 0 ? -1 : (long) Math.ceil(left / rate);
        return new JobState(
                blank.id(),
                blank.kind(),
                blank.by(),
                blank.state(),
                phase,
                unit,
                done,
                total,
                rate,
                eta,
                errors,
                errorCount,
                blank.started(),
                blank.ended(),
                blank.result());
    }
}
