package io.dedupstore.server.jobs;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of a long operation. */
public final class Job {
    private static final Logger LOG = LoggerFactory.getLogger(Job.class);

    private final long id;
    private final String kind;
    private final String by;
    private final Task task;
    private final InstantSource clock;
    private final Instant started;
    private final Progress progress;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile Outcome outcome = new Outcome(JobState.State.RUNNING, null, null);

    /** How it ended, as one value: readers never see half of it. */
    private record Outcome(JobState.State state, @Nullable Instant at, @Nullable Object result) {}

    Job(long id, String kind, String by, Task task, InstantSource clock, LongSupplier nanos) {
        this.id = id;
        this.kind = kind;
        this.by = by;
        this.task = task;
        this.clock = clock;
        this.started = clock.instant();
        this.progress = new Progress(nanos);
    }

    public long id() {
        return id;
    }

    public String kind() {
        return kind;
    }

    public boolean running() {
        return outcome.state() == JobState.State.RUNNING;
    }

    void run() {
        LOG.info("job {} ({}, by {}) begins", id, kind, by);
        JobState.State state = JobState.State.FAILED;
        Object result = null;
        try {
            result = task.run(progress);
            state = progress.cancelNoticed() ? JobState.State.CANCELLED : JobState.State.DONE;
        } catch (CancellationException e) {
            state = JobState.State.CANCELLED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            progress.error("interrupted");
        } catch (Exception e) {
            progress.error(String.valueOf(e.getMessage()));
            LOG.warn("job {} ({}) failed", id, kind, e);
        } catch (Error e) {
            progress.error(e.toString());
            LOG.error("job {} ({}) failed", id, kind, e);
            throw e;
        } finally {
            progress.end();
            outcome = new Outcome(state, clock.instant(), result);
            LOG.info("job {} ({}) ended: {}", id, kind, outcome.state());
            ended.countDown();
        }
    }

    void cancel() {
        progress.cancel();
    }

    /**
     * @return whether it ended in time
     */
    public boolean await(long timeoutMillis) throws InterruptedException {
        return ended.await(timeoutMillis, TimeUnit.MILLISECONDS);
    }

    public JobState state() {
        Outcome now = outcome;
        return progress.state(
                new JobState(
                        id,
                        kind,
                        by,
                        now.state(),
                        "",
                        "",
                        0,
                        0,
                        0,
                        -1,
                        List.of(),
                        0,
                        started,
                        now.at(),
                        now.result()));
    }
}
