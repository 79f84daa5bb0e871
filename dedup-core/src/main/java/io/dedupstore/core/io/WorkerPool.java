package io.dedupstore.core.io;

import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A bounded pool of platform threads that virtual threads wait on for work that would pin their
 * carrier: the key-value store, hashing, files. There is one for each kind of work.
 *
 * <p>When the queue is full the caller waits for a place; that is the back-pressure.
 */
public final class WorkerPool implements AutoCloseable {
    private static final int QUEUE_PER_THREAD = 256;

    private final ExecutorService threads;

    /**
     * @param name prefix of the threads' names
     * @param size threads
     */
    public WorkerPool(String name, int size) {
        this.threads =
                new ThreadPoolExecutor(
                        size,
                        size,
                        0,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(size * QUEUE_PER_THREAD),
                        Thread.ofPlatform().daemon().name(name + "-", 0).factory(),
                        WorkerPool::waitForPlace);
    }

    /**
     * Runs {@code work} on a thread of the pool and returns its result; its exceptions are the
     * caller's.
     */
    public <T> T call(Supplier<T> work) {
        Future<T> result = threads.submit(work::get);
        try {
            return result.get();
        } catch (ExecutionException e) {
            throw unchecked(e.getCause());
        } catch (InterruptedException e) {
            result.cancel(false);
            throw interrupted();
        }
    }

    /** As {@link #call} for work without a result. */
    public void run(Runnable work) {
        call(
                () -> {
                    work.run();
                    return Boolean.TRUE;
                });
    }

    @Override
    public void close() {
        threads.shutdown();
    }

    private static void waitForPlace(Runnable task, ThreadPoolExecutor pool) {
        try {
            if (pool.isShutdown()) {
                throw new IllegalStateException("the pool is closed");
            }
            pool.getQueue().put(task);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private static UncheckedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new UncheckedIOException(new InterruptedIOException("interrupted"));
    }

    private static RuntimeException unchecked(Throwable cause) {
        if (cause instanceof RuntimeException e) {
            return e;
        }
        if (cause instanceof Error e) {
            throw e;
        }
        return new IllegalStateException(cause);
    }
}
