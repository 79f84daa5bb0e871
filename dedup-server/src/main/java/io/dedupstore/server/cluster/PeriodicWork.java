package io.dedupstore.server.cluster;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Something that is looked at every few seconds, on a platform thread of its own. */
public final class PeriodicWork implements AutoCloseable {
    private final PacedLoop loop;

    /**
     * @param step returns whether it should be looked at again at once
     */
    public PeriodicWork(String name, Duration interval, BooleanSupplier step) {
        this.loop = new PacedLoop(name, step, Duration.ZERO, interval);
    }

    public void start() {
        loop.start();
    }

    /** Looks soon. */
    public void wake() {
        loop.wake();
    }

    /** Lets a running step finish. */
    @Override
    public void close() {
        loop.close();
    }
}
