package io.dedupstore.server.raft;

import io.dedupstore.core.state.ReplicationException;
import io.dedupstore.core.state.ReplicationException.Code;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Merges operations into log entries without a timer. While fewer than {@link #MAX_IN_FLIGHT}
 * entries are on their way an operation leaves at once, on its caller's thread; otherwise it waits,
 * and whatever has gathered when an entry is done becomes the next one. A lone caller pays no
 * delay, and a crowd shares log writes and store batches: the busier, the larger the entries.
 *
 * <p>Operations that can wait (deliveries, releases, prunes) leave when no other waits, in small
 * entries of their own, so that a request is never behind more than one of those. One that has
 * waited for {@link #LONGEST_WAIT} leaves all the same, though never two such entries in a row
 * while others wait.
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

    /** Operations that can wait make entries of this size, or of one operation. */
    static final int MAX_PATIENT_ENTRY_BYTES = 32 << 10;

    static final Duration LONGEST_WAIT = Duration.ofMillis(50);

    private final Function<Entry, CompletableFuture<?>> sender;
    private final Executor continuations;
    private final LongSupplier nanos;
    private final ArrayDeque<Operation> waiting = new ArrayDeque<>();
    private final ArrayDeque<Patient> patient = new ArrayDeque<>();
    private long waitingBytes;
    private long patientBytes;
    private int inFlight;
    private boolean patientInFlight;
    private boolean afterPatient;
    private long patientEntries;
    private @Nullable ReplicationException closed;

    /** An operation that can wait, and since when it does. */
    private record Patient(Operation operation, long sinceNanos) {}

    /**
     * @param sender hands an entry to Raft; its future ends when the entry was applied, or failed
     *     with a {@link ReplicationException}
     * @param continuations where the next entry is sent from, since the future ends on a thread
     *     that must not be held up
     * @param nanos a monotonic clock
     */
    CommandMerger(
            Function<Entry, CompletableFuture<?>> sender,
            Executor continuations,
            LongSupplier nanos) {
        this.sender = sender;
        this.continuations = continuations;
        this.nanos = nanos;
    }

    void submit(Operation operation) {
        submit(operation, false);
    }

    /** As {@link #submit}, behind operations that are waited for by clients. */
    void submitPatiently(Operation operation) {
        submit(operation, true);
    }

    private void submit(Operation operation, boolean canWait) {
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
            requireRoom(canWait ? patient.size() : waiting.size(), canWait);
            if (canWait) {
                patient.add(new Patient(operation, nanos.getAsLong()));
                patientBytes += operation.bytes();
            } else {
                waiting.add(operation);
                waitingBytes += operation.bytes();
            }
            entry = next();
        }
        if (entry != null) {
            send(entry);
        }
    }

    private void requireRoom(int operations, boolean canWait) {
        long bytes = canWait ? patientBytes : waitingBytes;
        if (operations >= MAX_WAITING_OPERATIONS || bytes >= MAX_WAITING_BYTES) {
            throw new ReplicationException(
                    Code.NOT_ACCEPTED, operations + " commands are waiting already");
        }
    }

    /** Takes an operation back that has not left; false when it has. */
    synchronized boolean withdraw(Operation operation) {
        if (waiting.remove(operation)) {
            waitingBytes -= operation.bytes();
            return true;
        }
        if (patient.removeIf(one -> one.operation().equals(operation))) {
            patientBytes -= operation.bytes();
            return true;
        }
        return false;
    }

    synchronized int waiting() {
        return waiting.size() + patient.size();
    }

    /**
     * A number that differs from an earlier one exactly when an entry of operations that can wait
     * was under way in between; odd while one is.
     */
    synchronized long patientTurns() {
        return 2 * patientEntries - (patientInFlight ? 1 : 0);
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
            patient.forEach(one -> refused.add(one.operation()));
            waiting.clear();
            patient.clear();
            waitingBytes = 0;
            patientBytes = 0;
        }
        refused.forEach(operation -> operation.reply().completeExceptionally(reason));
    }

    /** The next entry, if there is one and it may leave; the caller holds the lock. */
    private @Nullable Entry next() {
        if (inFlight >= MAX_IN_FLIGHT) {
            return null;
        }
        Patient first = patient.peek();
        boolean overdue =
                first != null
                        && !afterPatient
                        && nanos.getAsLong() - first.sinceNanos() >= LONGEST_WAIT.toNanos();
        if (!waiting.isEmpty() && !overdue) {
            inFlight++;
            afterPatient = false;
            return new Entry(taken());
        }
        if (first == null) {
            return null;
        }
        inFlight++;
        patientInFlight = true;
        afterPatient = true;
        patientEntries++;
        return new Entry(takenOfPatient());
    }

    private List<Operation> taken() {
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
        return operations;
    }

    private List<Operation> takenOfPatient() {
        List<Operation> operations = new ArrayList<>();
        long bytes = 0;
        while (!patient.isEmpty()) {
            int size = patient.getFirst().operation().bytes();
            if (bytes + size > MAX_PATIENT_ENTRY_BYTES && !operations.isEmpty()) {
                break;
            }
            Operation operation = patient.removeFirst().operation();
            operation.leftNanos().set(nanos.getAsLong());
            operations.add(operation);
            bytes += size;
        }
        patientBytes -= bytes;
        return operations;
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
            patientInFlight = false;
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
