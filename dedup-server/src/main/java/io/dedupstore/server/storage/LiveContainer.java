package io.dedupstore.server.storage;

import io.dedupstore.core.container.ContainerContents;
import io.dedupstore.core.container.ContainerException;
import io.dedupstore.core.container.ContainerHeader;
import io.dedupstore.core.container.OpenContainer;
import io.dedupstore.core.container.SlotTable;
import io.dedupstore.core.io.NoSpaceException;
import io.dedupstore.core.spi.ChunkStoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A container that is being appended to, with group commit: one sync serves all appends that were
 * written before it began.
 *
 * <p>Appends write under the monitor, in the order of the writer's offsets, and leave a future. A
 * single step on the disk pool syncs as long as futures wait, without the monitor, so that the next
 * appends are written meanwhile. There is no timer: when nothing else waits, a lone append is
 * synced at once.
 *
 * <p>After a failed write or sync the container is <i>broken</i>: all waiting futures fail, the
 * slot table is cut back to what the last successful sync covered, and the file is never written
 * again.
 */
final class LiveContainer {
    private final OpenContainer container;
    private final SharedFile shared;
    private final Executor steps;
    private final boolean relaxed;
    private final IntSupplier closedEpoch;
    private final Runnable onSync;
    private List<CompletableFuture<Void>> waiting = new ArrayList<>();
    private boolean scheduled;
    private boolean syncing;
    private boolean closing;
    private int durableSlots;

    /**
     * @param steps runs the sync step
     * @param relaxed whether appends are acknowledged before they are synced
     * @param closedEpoch epochs up to this one are refused
     * @param onSync told of every sync
     */
    LiveContainer(
            OpenContainer container,
            Executor steps,
            boolean relaxed,
            IntSupplier closedEpoch,
            Runnable onSync) {
        this.container = container;
        this.shared = new SharedFile(container.file());
        this.steps = steps;
        this.relaxed = relaxed;
        this.closedEpoch = closedEpoch;
        this.onSync = onSync;
    }

    ContainerHeader header() {
        return container.header();
    }

    SlotTable table() {
        return container.table();
    }

    long end() {
        return container.end();
    }

    /** One more user of the growing container, or null when it is closed already. */
    @Nullable ContainerView acquire() {
        return shared.tryAcquire() ? view(0) : null;
    }

    private ContainerView view(int slots) {
        return new ContainerView(
                shared, new ContainerContents(container.header(), table(), slots, container.end()));
    }

    /** Writes records and returns a future of their being durable. */
    synchronized CompletableFuture<Void> append(long offset, ByteBuffer records) {
        if (closing || container.isBroken()) {
            throw unavailable("is sealed", null);
        }
        if (offset != container.end()) {
            throw unavailable(
                    "ends at " + container.end() + ", not at " + offset + " as its writer thinks",
                    null);
        }
        try {
            container.append(records, closedEpoch.getAsInt());
        } catch (ContainerException e) {
            throw refused(e);
        } catch (IOException e) {
            throw failed(e);
        }
        CompletableFuture<Void> durable = new CompletableFuture<>();
        waiting.add(durable);
        if (!scheduled) {
            scheduled = true;
            steps.execute(this::syncWhileWaitedFor);
        }
        return relaxed ? CompletableFuture.completedFuture(null) : durable;
    }

    private void syncWhileWaitedFor() {
        while (true) {
            List<CompletableFuture<Void>> batch;
            int slots;
            synchronized (this) {
                if (waiting.isEmpty() || closing) {
                    scheduled = false;
                    return;
                }
                batch = waiting;
                waiting = new ArrayList<>();
                slots = table().size();
                syncing = true;
            }
            ChunkStoreException failure = sync(slots);
            settle(batch, failure);
        }
    }

    private @Nullable ChunkStoreException sync(int slots) {
        ChunkStoreException failure = null;
        try {
            onSync.run();
            container.sync();
        } catch (IOException | RuntimeException e) {
            failure = failed(e);
        }
        synchronized (this) {
            syncing = false;
            if (failure == null) {
                durableSlots = slots;
            }
            notifyAll();
        }
        return failure;
    }

    private static void settle(
            List<CompletableFuture<Void>> batch, @Nullable ChunkStoreException failure) {
        for (CompletableFuture<Void> append : batch) {
            if (failure == null) {
                append.complete(null);
            } else {
                append.completeExceptionally(failure);
            }
        }
    }

    /**
     * Stops appends and seals the file behind the first {@code slots} records; appends that wait
     * are acknowledged when they are among them, and fail otherwise.
     *
     * @return the sealed container, whose view takes over this one's use of the file
     * @throws IOException it could not be sealed: {@link #fence} it
     */
    ContainerView seal(int slots) throws IOException {
        List<CompletableFuture<Void>> batch = stop();
        ChunkStoreException failure = null;
        try {
            boolean all = slots >= table().size();
            ContainerContents contents = container.seal(Math.min(slots, table().size()));
            failure = all ? null : unavailable("was sealed before this append", null);
            return new ContainerView(shared, contents);
        } catch (IOException e) {
            failure = failed(e);
            throw e;
        } finally {
            settle(batch, failure);
        }
    }

    /**
     * Gives up writing to the file.
     *
     * @return what was acknowledged of it, whose view takes over this one's use of the file
     */
    ContainerView fence() {
        settle(stop(), unavailable("failed", null));
        container.cut(durableSlots);
        return view(durableSlots);
    }

    /** Returns when appends that began before the call have entered their records. */
    synchronized void awaitAppends() {
        // The monitor is all: an append checks epochs and enters its records under it.
    }

    /** Takes what waits, when nothing is syncing any more. */
    private synchronized List<CompletableFuture<Void>> stop() {
        closing = true;
        boolean interrupted = false;
        while (syncing) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        List<CompletableFuture<Void>> batch = waiting;
        waiting = new ArrayList<>();
        return batch;
    }

    private ChunkStoreException refused(ContainerException e) {
        return switch (e.code()) {
            case STALE ->
                    new ChunkStoreException(ChunkStoreException.Code.STALE, e.getMessage(), e);
            case DAMAGED, UNSUPPORTED ->
                    new ChunkStoreException(ChunkStoreException.Code.DAMAGED, e.getMessage(), e);
        };
    }

    private ChunkStoreException failed(Exception e) {
        return e instanceof NoSpaceException
                ? new ChunkStoreException(ChunkStoreException.Code.FULL, e.getMessage(), e)
                : unavailable("can't be written: " + e.getMessage(), e);
    }

    private ChunkStoreException unavailable(String problem, @Nullable Throwable cause) {
        String message = "container " + header().id() + " " + problem;
        return cause == null
                ? new ChunkStoreException(ChunkStoreException.Code.UNAVAILABLE, message)
                : new ChunkStoreException(ChunkStoreException.Code.UNAVAILABLE, message, cause);
    }
}
