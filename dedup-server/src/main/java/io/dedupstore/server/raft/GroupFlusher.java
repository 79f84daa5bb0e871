package io.dedupstore.server.raft;

import io.dedupstore.core.kv.KvStore;
import io.dedupstore.core.maintenance.FlushPacer;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.ratis.server.protocol.TermIndex;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flushes the store of a group as its {@link FlushPacer} says, beside the running apply, and then
 * has the log cut up to the position noted before the flush. One flush at a time.
 */
final class GroupFlusher {
    private static final Logger LOG = LoggerFactory.getLogger(GroupFlusher.class);

    private final String name;
    private final KvStore store;
    private final RatisMachine ratis;
    private final Runnable cutLog;
    private final Consumer<Throwable> halt;
    private final Executor background;
    private final boolean paced;
    private final FlushPacer pacer;
    private final AtomicBoolean queued = new AtomicBoolean();
    private long fileRate = FlushPacer.UNLIMITED;
    private long fileCap = FlushPacer.UNLIMITED;

    /**
     * @param cutLog drops what has been flushed from the log
     * @param halt ends the group when a flush has failed
     * @param background where flushes run that nobody waits for
     */
    GroupFlusher(
            String name,
            KvStore store,
            RatisMachine ratis,
            RaftOptions options,
            Runnable cutLog,
            Consumer<Throwable> halt,
            Executor background) {
        this.name = name;
        this.store = store;
        this.ratis = ratis;
        this.cutLog = cutLog;
        this.halt = halt;
        this.background = background;
        this.paced = options.pacing().flushes();
        this.pacer =
                new FlushPacer(
                        options.pacing()
                                .limits(options.snapshotOperations(), options.snapshotLogBytes()),
                        System.nanoTime());
    }

    /** On the applying thread: returns at once. */
    void applied(int operations, int bytes) {
        long now = System.nanoTime();
        pacer.applied(operations, bytes, now);
        flushIfDue(now);
    }

    /** Now and then, for when nothing is applied. */
    void tick() {
        long now = System.nanoTime();
        pacer.tick(now);
        flushIfDue(now);
        setFileRate();
    }

    private void flushIfDue(long now) {
        if (pacer.due(now) && queued.compareAndSet(false, true)) {
            try {
                background.execute(this::flushQueued);
            } catch (RejectedExecutionException e) {
                queued.set(false);
                LOG.debug("{}: shutting down, which flushes", name);
            }
        }
    }

    private void flushQueued() {
        try {
            flush(false);
        } catch (RuntimeException e) {
            LOG.error("{}: flush failed", name, e);
        } finally {
            queued.set(false);
        }
    }

    /**
     * Returns when everything applied before the call is in files and the log is cut. Platform
     * threads only.
     *
     * @param hurry at full speed
     */
    void flush(boolean hurry) {
        if (hurry) {
            pacer.hurry();
            setFileRate();
        }
        flushAlone(hurry);
    }

    private synchronized void flushAlone(boolean hurry) {
        if (!ratis.aheadOfFlush()) {
            return;
        }
        pacer.began(hurry, System.nanoTime());
        setFileRate();
        TermIndex position = ratis.flushing();
        boolean flushed = false;
        try {
            store.flush();
            flushed = true;
        } catch (RuntimeException e) {
            halt.accept(e);
            throw e;
        } finally {
            pacer.ended(flushed, System.nanoTime());
        }
        setFileRate();
        ratis.flushed(position);
        cutLog.run();
    }

    /** Limits what files are written at, also below what pacing allows. */
    void capFileRate(long bytesPerSecond) {
        synchronized (pacer) {
            fileCap = bytesPerSecond;
        }
        setFileRate();
    }

    private void setFileRate() {
        synchronized (pacer) {
            long wanted = Math.min(fileCap, paced ? pacer.bytesPerSecond() : FlushPacer.UNLIMITED);
            // Setting it costs a call into native code; small changes are not worth it.
            if (Math.abs((double) wanted - fileRate) > 0.1 * fileRate) {
                fileRate = wanted;
                store.limitFileWrites(wanted);
            }
        }
    }

    /** How long a command of a request is held back now. */
    Duration delay() {
        return paced ? Duration.ofNanos(pacer.delayNanos()) : Duration.ZERO;
    }

    FlushPacer.Figures figures() {
        return pacer.figures();
    }
}
