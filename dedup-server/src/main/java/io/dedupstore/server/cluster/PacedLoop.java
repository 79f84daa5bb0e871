package io.dedupstore.server.cluster;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A platform thread that repeats a step: after progress it pauses briefly, so that work gathers and
 * goes in one batch instead of one sync for each request; without progress it sleeps until woken,
 * or until something slow may have changed. A step that fails is logged and tried again after the
 * long pause.
 */
final class PacedLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PacedLoop.class);

    private final String name;
    private final BooleanSupplier step;
    private final Duration gather;
    private final Duration idle;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Thread thread;
    private volatile boolean woken = true;
    private int failures;
    private boolean hurried;
    private boolean closed;

    /**
     * @param step returns whether it got anywhere
     * @param gather pause before each step
     * @param idle longest pause without progress
     */
    PacedLoop(String name, BooleanSupplier step, Duration gather, Duration idle) {
        this.name = name;
        this.step = step;
        this.gather = gather;
        this.idle = idle;
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /**
     * There may be something to do. Any thread; called for every log entry, so all but the first
     * since the last turn return at once. What is dropped that way is seen by the turn to come.
     */
    void wake() {
        if (woken) {
            return;
        }
        lock.lock();
        try {
            woken = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** While it is on, nothing is gathered: latency instead of throughput. */
    void hurry(boolean on) {
        lock.lock();
        try {
            hurried = on;
            woken = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        boolean progress = true;
        while (awaitTurn(progress)) {
            progress = tryStep();
        }
    }

    private boolean tryStep() {
        try {
            boolean progress = step.getAsBoolean();
            failures = 0;
            return progress;
        } catch (RuntimeException e) {
            return failed(e);
        } catch (Error e) {
            // The thread must outlive it: nothing else does this work.
            return failed(e);
        }
    }

    private boolean failed(Throwable cause) {
        failures++;
        if (!isClosed() && Integer.bitCount(failures) == 1) {
            LOG.warn("{} failed, {} times in a row; it tries again", name, failures, cause);
        }
        return false;
    }

    /** False when closed. */
    private boolean awaitTurn(boolean progress) {
        lock.lock();
        try {
            long left = idle.toNanos();
            while (!closed && !woken && !progress && left > 0) {
                left = changed.awaitNanos(left);
            }
            woken = false;
            left = gather.toNanos();
            while (!closed && !hurried && left > 0) {
                left = changed.awaitNanos(left);
            }
            return !closed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Begins no further step; returns at once. */
    void stop() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Lets a running step finish. */
    @Override
    public void close() {
        stop();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(40));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
