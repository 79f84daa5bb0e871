package io.dedupstore.server.storage;

import io.dedupstore.core.container.ContainerHeader;
import io.dedupstore.core.container.ContainerWriter;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ChunkStore.NewChunk;
import io.dedupstore.core.spi.ChunkStoreException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One open container at a time, shared by all requests that come this way.
 *
 * <p>Callers queue their chunks and wait. A single step on the disk pool drains the queue: it
 * encodes chunk after chunk into one window of about 1 MiB and sends the window to the replicas
 * when it is full or nothing more waits. It does not wait for the disk: while a window is being
 * synced the next one fills, and the node syncs once for all that came meanwhile.
 *
 * <p>"Seal and new": when a replica fails or the container is full, it is sealed behind what all
 * replicas have acknowledged, and the lane goes on with another. Callers whose chunks were lost
 * that way try again, from their own buffers, up to {@value #MAX_ATTEMPTS} times; they get other
 * addresses, and nobody knows the first ones.
 */
final class AppendLane {
    private static final Logger LOG = LoggerFactory.getLogger(AppendLane.class);
    private static final int WINDOW_BYTES = 1 << 20;
    private static final int MAX_ATTEMPTS = 3;
    private static final Duration DISK_LIMIT = Duration.ofSeconds(60);
    private static final Duration SEAL_LIMIT = Duration.ofSeconds(10);

    private final StorageSettings settings;
    private final Placement placement;
    private final Supplier<ContainerId> containerIds;
    private final InstantSource clock;
    private final RandomGenerator nonces;
    private final DiskPool pool;
    private final Queue<AppendRequest> queue = new ArrayDeque<>();
    private boolean draining;
    private boolean closed;
    private volatile int staleEpoch;
    private volatile @Nullable OpenTarget target;

    // The draining step's own.
    private final ByteBuffer window = ContainerWriter.newWindow(WINDOW_BYTES);
    private final List<AppendRequest> inWindow = new ArrayList<>();
    private long windowOffset;

    AppendLane(
            StorageSettings settings,
            Placement placement,
            Supplier<ContainerId> containerIds,
            InstantSource clock,
            RandomGenerator nonces,
            DiskPool pool) {
        this.settings = settings;
        this.placement = placement;
        this.containerIds = containerIds;
        this.clock = clock;
        this.nonces = nonces;
        this.pool = pool;
    }

    List<ChunkAddress> append(V v, DomainId domain, List<NewChunk> chunks) {
        for (int attempt = 1; ; attempt++) {
            if (v.epoch() <= staleEpoch) {
                throw new ChunkStoreException(
                        ChunkStoreException.Code.STALE,
                        "append of " + v + ": epochs up to " + staleEpoch + " are closed");
            }
            AppendRequest request = new AppendRequest(v, domain, chunks);
            enqueue(request);
            try {
                return request.await(DISK_LIMIT);
            } catch (ChunkStoreException e) {
                if (request.gaveUp()) {
                    abandonStalled(e);
                    throw e;
                }
                if (attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** A disk that does not answer must not hold up those who come later. */
    private void abandonStalled(ChunkStoreException because) {
        OpenTarget present = target;
        if (present != null && !Thread.currentThread().isInterrupted()) {
            LOG.warn(
                    "Container {} is given up: {}",
                    present.writer().header().id(),
                    because.getMessage());
            present.stalled();
        }
    }

    private void enqueue(AppendRequest request) {
        boolean start;
        synchronized (queue) {
            if (closed) {
                throw closing();
            }
            queue.add(request);
            start = !draining;
            draining = true;
        }
        if (start) {
            try {
                pool.execute(this::drain);
            } catch (ChunkStoreException e) {
                synchronized (queue) {
                    draining = false;
                    queue.remove(request);
                }
                throw e;
            }
        }
    }

    // ---- the draining step: one at a time ----

    private void drain() {
        while (true) {
            AppendRequest request;
            synchronized (queue) {
                request = queue.poll();
                if (request == null && inWindow.isEmpty()) {
                    draining = false;
                    queue.notifyAll();
                    return;
                }
            }
            if (request == null) {
                flush();
            } else if (request.begin()) {
                encode(request);
            }
        }
    }

    private void encode(AppendRequest request) {
        try {
            for (NewChunk chunk : request.chunks()) {
                OpenTarget to = targetFor(request.v(), chunk.stored().remaining());
                if (window.position() == 0) {
                    windowOffset = to.writer().end();
                }
                request.add(
                        to.writer()
                                .add(
                                        request.v(),
                                        request.domain(),
                                        chunk.fingerprint(),
                                        chunk.codec(),
                                        chunk.cipher(),
                                        chunk.keyVersion(),
                                        chunk.length(),
                                        chunk.stored(),
                                        window));
                noteInWindow(request);
                if (window.position() >= WINDOW_BYTES) {
                    flush();
                }
            }
        } catch (ChunkStoreException e) {
            request.failed(e);
        } catch (RuntimeException e) {
            request.failed(
                    new ChunkStoreException(
                            ChunkStoreException.Code.UNAVAILABLE, "append failed: " + e, e));
        } finally {
            request.encoded();
        }
    }

    private void noteInWindow(AppendRequest request) {
        if (inWindow.isEmpty() || inWindow.getLast() != request) {
            request.writing();
            inWindow.add(request);
        }
    }

    /** The container to write to, with room in the window for so many stored bytes. */
    private OpenTarget targetFor(V v, int storedLength) {
        OpenTarget present = target;
        if (present != null && window.position() > 0) {
            boolean fits = present.writer().fits(storedLength, window);
            if (!fits || !serves(present, v)) {
                flush();
            }
        }
        present = target;
        if (present != null && serves(present, v)) {
            return present;
        }
        if (present != null) {
            target = null;
            present.close();
        }
        OpenTarget fresh = open(v);
        target = fresh;
        return fresh;
    }

    private static boolean serves(OpenTarget target, V v) {
        return target.isUsable()
                && !target.writer().isFull()
                && v.epoch() <= target.writer().header().epoch();
    }

    private OpenTarget open(V v) {
        ContainerId id = containerIds.get();
        ContainerHeader header =
                new ContainerHeader(
                        id,
                        1,
                        settings.checksum(),
                        nonces.nextLong(),
                        v.epoch(),
                        v.session(),
                        clock.millis());
        try {
            return OpenTarget.open(header, settings.containerBytes(), placement.forNew(id), pool);
        } catch (ChunkStoreException e) {
            if (e.code() == ChunkStoreException.Code.STALE) {
                noteStale(v.epoch());
            }
            throw e;
        }
    }

    /** Sends the window off. */
    private void flush() {
        List<AppendRequest> requests = List.copyOf(inWindow);
        inWindow.clear();
        OpenTarget to = target;
        if (to == null || requests.isEmpty()) {
            window.clear();
            return;
        }
        window.flip();
        CompletableFuture<Void> durable = to.append(windowOffset, window);
        window.clear();
        durable.whenComplete((nothing, problem) -> settle(requests, problem));
    }

    private void settle(List<AppendRequest> requests, @Nullable Throwable problem) {
        if (problem != null) {
            ChunkStoreException failure = failure(problem);
            if (failure.code() == ChunkStoreException.Code.STALE) {
                // At least the oldest of them is stale; the others try again without it.
                int oldest = requests.stream().mapToInt(r -> r.v().epoch()).min().orElse(0);
                noteStale(oldest);
            }
            requests.forEach(request -> request.failed(failure));
        }
        requests.forEach(AppendRequest::written);
    }

    private synchronized void noteStale(int epoch) {
        staleEpoch = Math.max(staleEpoch, epoch);
    }

    private static ChunkStoreException failure(Throwable problem) {
        Throwable cause = problem.getCause() == null ? problem : problem.getCause();
        if (problem instanceof ChunkStoreException e) {
            return e;
        }
        return cause instanceof ChunkStoreException e
                ? e
                : new ChunkStoreException(
                        ChunkStoreException.Code.UNAVAILABLE, "append failed: " + cause, cause);
    }

    private static ChunkStoreException closing() {
        return new ChunkStoreException(
                ChunkStoreException.Code.UNAVAILABLE, "the store is closing");
    }

    /** Takes nothing more and seals the container once everything queued is written. */
    void close() {
        OpenTarget last;
        try {
            synchronized (queue) {
                closed = true;
                long deadline = System.nanoTime() + SEAL_LIMIT.toNanos();
                while (draining && deadline - System.nanoTime() > 0) {
                    TimeUnit.NANOSECONDS.timedWait(queue, deadline - System.nanoTime());
                }
                last = target;
                target = null;
            }
            if (last != null) {
                last.close().get(SEAL_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("The open container could not be sealed; it will be at the next start.", e);
        }
    }
}
