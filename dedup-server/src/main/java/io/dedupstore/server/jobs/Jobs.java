package io.dedupstore.server.jobs;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The long operations of this node, running and ended. Each has a platform thread of its own,
 * because what they do blocks on stores and files. The last {@value #MAX_ENDED} that ended are
 * remembered.
 */
public final class Jobs implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Jobs.class);
    private static final int MAX_ENDED = 100;
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(30);

    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Deque<Job> newestFirst = new ArrayDeque<>();
    private long lastId;
    private boolean closed;

    public Jobs(InstantSource clock, LongSupplier nanos) {
        this.clock = clock;
        this.nanos = nanos;
    }

    /**
     * Begins at once.
     *
     * @param kind at most one of each runs
     * @param by who wants it
     * @throws JobException one of the kind is running, or the process ends
     */
    public Job start(String kind, String by, Task task) {
        Job job;
        synchronized (this) {
            if (closed) {
                throw new JobException(JobException.Code.CLOSED, "the server is stopping");
            }
            Optional<Job> running = running(kind);
            if (running.isPresent()) {
                throw new JobException(
                        JobException.Code.RUNNING,
                        "job %d (%s) is still running; wait for it or cancel it"
                                .formatted(running.get().id(), kind));
            }
            job = new Job(++lastId, kind, by, task, clock, nanos);
            newestFirst.addFirst(job);
            forgetOld();
        }
        Thread.ofPlatform().daemon().name("job-" + kind).start(job::run);
        return job;
    }

    private Optional<Job> running(String kind) {
        return newestFirst.stream().filter(j -> j.kind().equals(kind) && j.running()).findFirst();
    }

    private void forgetOld() {
        long ended = newestFirst.stream().filter(job -> !job.running()).count();
        var oldest = newestFirst.descendingIterator();
        while (ended > MAX_ENDED && oldest.hasNext()) {
            if (!oldest.next().running()) {
                oldest.remove();
                ended--;
            }
        }
    }

    /** Newest first. */
    public synchronized List<Job> all() {
        return new ArrayList<>(newestFirst);
    }

    public synchronized Optional<Job> find(long id) {
        return newestFirst.stream().filter(job -> job.id() == id).findFirst();
    }

    /**
     * Asks a job to end; it does at its next step.
     *
     * @return empty when there is no such job
     */
    public Optional<Job> cancel(long id) {
        Optional<Job> job = find(id);
        job.ifPresent(Job::cancel);
        return job;
    }

    /** Cancels what runs and waits for it. */
    @Override
    public void close() {
        List<Job> running;
        synchronized (this) {
            closed = true;
            running = newestFirst.stream().filter(Job::running).toList();
        }
        running.forEach(Job::cancel);
        long deadline = System.nanoTime() + CLOSE_PATIENCE.toNanos();
        for (Job job : running) {
            try {
                long left = Math.max(0, deadline - System.nanoTime());
                if (!job.await(Duration.ofNanos(left).toMillis())) {
                    LOG.warn("job {} ({}) did not end in time", job.id(), job.kind());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
