package io.dedupstore.server.storage;

import io.dedupstore.core.spi.ChunkStoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * The platform threads that wait for the disk, so that virtual threads need not.
 *
 * <p>Two ways in. {@link #call} is for whoever wants a result: it is bounded, over the bound
 * callers wait outside. {@link #execute} is for the store's own steps (writing what has gathered,
 * one sync): never refused, and few by construction, at most two for each open container. So a call
 * can wait for a step, but no step ever waits for a place.
 */
public final class DiskPool implements AutoCloseable {
    private final ExecutorService threads;
    private final Semaphore places;

    /**
     * @param threads platform threads
     * @param maxQueuedCalls calls that may wait for one of them
     */
    public DiskPool(int threads, int maxQueuedCalls) {
        this.threads =
                Executors.newFixedThreadPool(
                        threads, Thread.ofPlatform().daemon().name("disk-", 0).factory());
        this.places = new Semaphore(threads + maxQueuedCalls, true);
    }

    /**
     * Runs {@code work} and returns its result. Once it has begun it is waited for whatever
     * happens, because it may use buffers of the caller's; an interrupt is kept for later.
     *
     * @throws ChunkStoreException UNAVAILABLE when interrupted before it began, or when closed
     */
    public <T> T call(Supplier<T> work) {
        return join(submit(work::get));
    }

    /**
     * Runs all of {@code works} beside each other and returns when all have ended.
     *
     * @throws RuntimeException the first failure, the others suppressed
     */
    void runAll(List<Runnable> works) {
        List<FutureTask<Boolean>> tasks = new ArrayList<>();
        RuntimeException failure = null;
        try {
            for (Runnable work : works) {
                tasks.add(
                        submit(
                                () -> {
                                    work.run();
                                    return Boolean.TRUE;
                                }));
            }
        } catch (RuntimeException e) {
            failure = e;
        }
        for (FutureTask<Boolean> task : tasks) {
            try {
                join(task);
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else if (failure != e) {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private <T> FutureTask<T> submit(Callable<T> work) {
        try {
            places.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ChunkStoreException(
                    ChunkStoreException.Code.UNAVAILABLE, "interrupted while waiting for the disk");
        }
        FutureTask<T> task =
                new FutureTask<>(work) {
                    @Override
                    protected void done() {
                        places.release();
                    }
                };
        try {
            execute(task);
        } catch (ChunkStoreException e) {
            places.release();
            throw e;
        }
        return task;
    }

    /** As {@link #call} for work without a result. */
    public void run(Runnable work) {
        call(
                () -> {
                    work.run();
                    return Boolean.TRUE;
                });
    }

    /** Queues a step of the store's own. */
    void execute(Runnable step) {
        try {
            threads.execute(step);
        } catch (RejectedExecutionException e) {
            throw new ChunkStoreException(
                    ChunkStoreException.Code.UNAVAILABLE, "the store is closing", e);
        }
    }

    /** Takes no more; what was queued is still done. */
    @Override
    public void close() {
        threads.close();
    }

    private static <T> T join(FutureTask<T> task) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw unchecked(e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException unchecked(Throwable cause) {
        if (cause instanceof Error e) {
            throw e;
        }
        return cause instanceof RuntimeException e ? e : new IllegalStateException(cause);
    }
}
