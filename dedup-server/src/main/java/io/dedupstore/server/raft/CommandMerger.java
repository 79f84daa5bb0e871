package io.dedupstore.server.raft;

import io.dedupstore.core.state.ReplicationException;
import io.dedupstore.core.state.ReplicationException.Code;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Merges operations into log entries without a timer. While fewer than {@link #MAX_IN_FLIGHT}
 * entries are on their way an operation leaves at once, on its caller's thread; otherwise it waits,
 * and whatever has gathered when an entry is done becomes the next one. A lone caller pays no
 * delay, and a crowd shares log writes and store batches: the busier, the larger the entries.
 *
 * <p>Threads: any. The lock is never held while an entry is handed over. Entries leave in the order
 * they were made; an operation is in at most one entry.
 */
final class CommandMerger {
    static final int MAX_OPERATIONS = 512;
    static final int MAX_ENTRY_BYTES = 256 << 10;
    static final int MAX_COMMAND_BYTES = 1 << 20;
    static final int MAX_IN_FLIGHT = 1;
    static final int MAX_WAITING_OPERATIONS = 16_384;
    static final long MAX_WAITING_BYTES = 64L << 20;

    private final Function<Entry, CompletableFuture<?>> sender;
    private final Executor continuations;
    private final ArrayDeque<Operation> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private int inFlight;
    private @Nullable ReplicationException closed;

    /**
     * @param sender hands an entry to Raft; its future ends when the entry was applied, or failed
     *     with a {@link ReplicationException}
     * @param continuations where the next entry is sent from, since the future ends on a thread
     *     that must not be held up
     */
    CommandMerger(Function<Entry, CompletableFuture<?>> sender, Executor continuations) {
        this.sender = sender;
        this.continuations = continuations;
    }

    void submit(Operation operation) {
        if (operation.command().length > MAX_COMMAND_BYTES) {
            throw new IllegalArgumentException(
                    "a command of %d bytes; the limit is %d"
                            .formatted(operation.command().length, MAX_COMMAND_BYTES));
        }
        Entry entry;
        synchronized (this) {
            if (closed != null) {
                throw closed;
            }
            if (waiting.size() >= MAX_WAITING_OPERATIONS || waitingBytes >= MAX_WAITING_BYTES) {
                throw new ReplicationException(
                        Code.NOT_ACCEPTED, waiting.size() + " commands are waiting already");
            }
            waiting.add(operation);
            waitingBytes += operation.bytes();
            entry = next();
        }
        if (entry != null) {
            send(entry);
        }
    }

    /** Takes an operation back that has not left; false when it has. */
    synchronized boolean withdraw(Operation operation) {
        boolean removed = waiting.remove(operation);
        if (removed) {
            waitingBytes -= operation.bytes();
        }
        return removed;
    }

    synchronized int waiting() {
        return waiting.size();
    }

    /** Refuses what waits and whatever comes later. */
    void close(ReplicationException reason) {
        List<Operation> refused;
        synchronized (this) {
            if (closed != null) {
                return;
            }
            closed = reason;
            refused = new ArrayList<>(waiting);
            waiting.clear();
            waitingBytes = 0;
        }
        refused.forEach(operation -> operation.reply().completeExceptionally(reason));
    }

    /** The next entry, if there is one and it may leave; the caller holds the lock. */
    private @Nullable Entry next() {
        if (inFlight >= MAX_IN_FLIGHT || waiting.isEmpty()) {
            return null;
        }
        List<Operation> operations = new ArrayList<>();
        long bytes = 0;
        while (!waiting.isEmpty() && operations.size() < MAX_OPERATIONS) {
            int size = waiting.getFirst().bytes();
            if (bytes + size > MAX_ENTRY_BYTES && !operations.isEmpty()) {
                break;
            }
            operations.add(waiting.removeFirst());
            bytes += size;
        }
        waitingBytes -= bytes;
        inFlight++;
        return new Entry(operations);
    }

    private void send(Entry entry) {
        CompletableFuture<?> sent;
        try {
            sent = sender.apply(entry);
        } catch (RuntimeException e) {
            sent = CompletableFuture.failedFuture(e);
        }
        sent.whenComplete(
                (applied, failure) -> {
                    entry.fail(unanswered(failure));
                    sendNext();
                });
    }

    private void sendNext() {
        Entry entry;
        synchronized (this) {
            inFlight--;
            entry = next();
        }
        if (entry != null) {
            continuations.execute(() -> send(entry));
        }
    }

    private static ReplicationException unanswered(@Nullable Throwable failure) {
        if (failure == null) {
            return new ReplicationException(Code.UNKNOWN, "applied without a reply");
        }
        return RaftFailures.toReplicationException(failure);
    }
}
