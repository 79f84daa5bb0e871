package io.dedupstore.server.storage;

import io.dedupstore.core.container.ContainerHeader;
import io.dedupstore.core.container.ContainerWriter;
import io.dedupstore.core.spi.ChunkStoreException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The container a lane writes to and its replicas. Knows how many slots all replicas have
 * acknowledged, and seals at that once it is given up and nothing is under way any more.
 */
final class OpenTarget {
    private static final Logger LOG = LoggerFactory.getLogger(OpenTarget.class);

    private final ContainerWriter writer;
    private final List<ContainerReplica> replicas;
    private final DiskPool pool;
    private final CompletableFuture<Void> sealed = new CompletableFuture<>();
    private int acknowledgedSlots;
    private int underWay;
    private boolean closing;
    private boolean broken;

    private OpenTarget(
            ContainerHeader header,
            long targetBytes,
            List<ContainerReplica> replicas,
            DiskPool pool) {
        this.writer = new ContainerWriter(header, targetBytes);
        this.replicas = replicas;
        this.pool = pool;
    }

    /** Opens the container on all replicas, or seals it where it was opened and fails. */
    static OpenTarget open(
            ContainerHeader header,
            long targetBytes,
            List<ContainerReplica> replicas,
            DiskPool pool) {
        List<ContainerReplica> opened = new ArrayList<>();
        try {
            for (ContainerReplica replica : replicas) {
                replica.open(header);
                opened.add(replica);
            }
            return new OpenTarget(header, targetBytes, List.copyOf(replicas), pool);
        } catch (RuntimeException e) {
            new OpenTarget(header, targetBytes, opened, pool).close();
            throw e;
        }
    }

    ContainerWriter writer() {
        return writer;
    }

    synchronized boolean isUsable() {
        return !broken && !closing;
    }

    /**
     * Appends a window to all replicas; it may be used again on return.
     *
     * @return completed when all have it on disk; fails with {@link ChunkStoreException}
     */
    CompletableFuture<Void> append(long offset, ByteBuffer window) {
        int slots = writer.nextSlot();
        synchronized (this) {
            underWay++;
        }
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (ContainerReplica replica : replicas) {
            all.add(appendTo(replica, offset, window));
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .handle(
                        (nothing, problem) -> {
                            settled(slots, problem);
                            return nothing;
                        });
    }

    private CompletableFuture<Void> appendTo(
            ContainerReplica replica, long offset, ByteBuffer window) {
        try {
            return replica.append(
                    writer.header().id(), offset, window.duplicate().order(window.order()));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void settled(int slots, Throwable problem) {
        boolean seal;
        synchronized (this) {
            underWay--;
            if (problem == null) {
                acknowledgedSlots = Math.max(acknowledgedSlots, slots);
            } else {
                broken = true;
            }
            seal = closing && underWay == 0;
        }
        if (seal) {
            scheduleSeal();
        }
        if (problem != null) {
            throw new CompletionException(unwrapped(problem));
        }
    }

    private static ChunkStoreException unwrapped(Throwable problem) {
        Throwable cause = problem instanceof CompletionException c ? c.getCause() : problem;
        return cause instanceof ChunkStoreException e
                ? e
                : new ChunkStoreException(
                        ChunkStoreException.Code.UNAVAILABLE, "append failed: " + cause, cause);
    }

    /** Takes nothing more and seals when what is under way has settled. Idempotent. */
    CompletableFuture<Void> close() {
        boolean seal;
        synchronized (this) {
            seal = !closing && underWay == 0;
            closing = true;
        }
        if (seal) {
            scheduleSeal();
        }
        return sealed;
    }

    /** Takes nothing more, and does not trust what is under way to end. */
    synchronized void stalled() {
        broken = true;
    }

    private void scheduleSeal() {
        try {
            pool.execute(this::seal);
        } catch (ChunkStoreException e) {
            // Closing: the node seals what is open.
            sealed.complete(null);
        }
    }

    private void seal() {
        int slots;
        synchronized (this) {
            slots = acknowledgedSlots;
        }
        for (ContainerReplica replica : replicas) {
            try {
                replica.seal(writer.header().id(), slots);
            } catch (RuntimeException e) {
                LOG.warn(
                        "Container {} could not be sealed on one of its nodes; that node seals it"
                                + " when its epoch ends.",
                        writer.header().id(),
                        e);
            }
        }
        sealed.complete(null);
    }
}
