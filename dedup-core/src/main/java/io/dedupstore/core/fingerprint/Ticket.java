package io.dedupstore.core.fingerprint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The jobs that one caller waits for together, and where digests of whole messages go. */
final class Ticket {
    private final List<DigestJob> jobs = new ArrayList<>();
    private final byte[] digests;
    private final @Nullable HmacKey key;
    private final AtomicInteger left = new AtomicInteger();
    private final CountDownLatch done = new CountDownLatch(1);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /**
     * @param digests room for one SHA-256 per message, packed
     * @param key under which the digests are replaced by their HMACs in the end; null for none
     */
    Ticket(byte[] digests, @Nullable HmacKey key) {
        this.digests = digests;
        this.key = key;
    }

    /** Before any of them is queued. */
    void add(DigestJob job) {
        jobs.add(job);
        left.incrementAndGet();
    }

    /** So that no long one is left to run alone in the end; before they are queued. */
    void longestFirst() {
        jobs.sort(Comparator.comparingInt(DigestJob::length).reversed());
    }

    List<DigestJob> jobs() {
        return jobs;
    }

    byte[] digests() {
        return digests;
    }

    boolean isDone() {
        return done.getCount() == 0;
    }

    /** A job has ended; the last one ends the ticket. */
    void jobDone(KeyedDigests keyed) {
        if (left.decrementAndGet() > 0) {
            return;
        }
        try {
            if (key != null && failure.get() == null) {
                keyed.apply(key, digests);
            }
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        } finally {
            done.countDown();
        }
    }

    /** A job has ended with a failure. */
    void jobFailed(Throwable cause) {
        failure.compareAndSet(null, cause);
        if (left.decrementAndGet() == 0) {
            done.countDown();
        }
    }

    void await() throws InterruptedException {
        done.await();
    }

    /** An interrupt is kept for later. */
    void awaitUninterruptibly() {
        boolean interrupted = false;
        while (true) {
            try {
                done.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    void rethrow() {
        switch (failure.get()) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }
}
