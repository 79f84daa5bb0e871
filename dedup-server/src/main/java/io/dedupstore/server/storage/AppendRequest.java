package io.dedupstore.server.storage;

import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ChunkStore.NewChunk;
import io.dedupstore.core.spi.ChunkStoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One caller's chunks on their way into a container. The caller's buffers may be read from {@link
 * #begin} until {@link #encoded}; a caller that gives up waits that long.
 */
final class AppendRequest {
    private enum State {
        QUEUED,
        ENCODING,
        ENCODED,
        GIVEN_UP
    }

    private final V v;
    private final DomainId domain;
    private final List<NewChunk> chunks;
    private final List<ChunkAddress> addresses;
    private State state = State.QUEUED;
    private int pendingWrites;
    private boolean gaveUp;
    private @Nullable ChunkStoreException failure;

    AppendRequest(V v, DomainId domain, List<NewChunk> chunks) {
        this.v = v;
        this.domain = domain;
        this.chunks = chunks;
        this.addresses = new ArrayList<>(chunks.size());
    }

    V v() {
        return v;
    }

    DomainId domain() {
        return domain;
    }

    List<NewChunk> chunks() {
        return chunks;
    }

    // ---- the lane's side ----

    /** False when the caller has gone. */
    synchronized boolean begin() {
        if (state != State.QUEUED) {
            return false;
        }
        state = State.ENCODING;
        return true;
    }

    /** A chunk of it is in the window. */
    void add(ChunkAddress address) {
        addresses.add(address);
    }

    /** Another window that holds chunks of it is on its way to disk. */
    synchronized void writing() {
        pendingWrites++;
    }

    synchronized void written() {
        pendingWrites--;
        notifyAll();
    }

    synchronized void failed(ChunkStoreException problem) {
        if (failure == null) {
            failure = problem;
        }
    }

    /** The caller's buffers are not needed any more. */
    synchronized void encoded() {
        state = State.ENCODED;
        notifyAll();
    }

    // ---- the caller's side ----

    /**
     * Returns the addresses when all is durable.
     *
     * @throws ChunkStoreException nothing of it may be referenced
     */
    synchronized List<ChunkAddress> await(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        boolean interrupted = false;
        ChunkStoreException problem = null;
        while (problem == null && !isSettled()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                problem = unavailable("the disk did not answer within " + limit.toSeconds() + " s");
                break;
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                interrupted = true;
                problem = unavailable("interrupted while waiting for the disk");
            }
        }
        while (state == State.ENCODING) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        gaveUp = problem != null;
        if (problem == null) {
            problem = failure;
        }
        if (problem != null) {
            state = State.GIVEN_UP;
            throw problem;
        }
        return addresses;
    }

    /** The caller did not wait for the outcome. */
    synchronized boolean gaveUp() {
        return gaveUp;
    }

    private boolean isSettled() {
        return state == State.ENCODED && (pendingWrites == 0 || failure != null);
    }

    private static ChunkStoreException unavailable(String message) {
        return new ChunkStoreException(ChunkStoreException.Code.UNAVAILABLE, message);
    }
}
